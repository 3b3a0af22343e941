// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/operators_table.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <algorithm>

#include "views/common/styled_cell.h"
#include "views/common/table.h"
#include "views/common/theme.h"
#include "views/strategy/split_bar.h"

namespace p2::views {
namespace {

/// The share in figures, and next to them as a bar of its parts.
class SplitDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString figures = cell.text;
    cell.text.clear();
    paintStyledCell(*painter, cell);
    painter->save();
    const QRectF inner = QRectF(option.rect).adjusted(4, 0, -4, 0);
    const int width = figuresWidth(cell);
    painter->setFont(cell.font);
    // A row that is selected is on the accent.
    painter->setPen(cell.state.testFlag(QStyle::State_Selected) ? cell.palette.color(QPalette::HighlightedText)
                                                                : cell.palette.color(QPalette::Text));
    painter->drawText(QRectF(inner.left(), inner.top(), width, inner.height()), Qt::AlignRight | Qt::AlignVCenter,
                      figures);
    const QVariantList parts = index.data(OperatorsModel::kPartsRole).toList();
    if (parts.size() == 3) {
      const QRectF track(inner.left() + width + Theme::kGrid, inner.center().y() - kHeight / 2.0,
                         inner.width() - width - Theme::kGrid, kHeight);
      paintSplitBar(*painter, track, {parts[0].toDouble(), parts[1].toDouble(), parts[2].toDouble()}, false);
    }
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    return {figuresWidth(cell) + kLeastBar + 3 * Theme::kGrid, QStyledItemDelegate::sizeHint(option, index).height()};
  }

 private:
  static constexpr int kHeight = 9;
  static constexpr int kLeastBar = 48;
  static int figuresWidth(const QStyleOptionViewItem& cell) {
    const QFontMetrics metrics(cell.font);
    return std::max(metrics.horizontalAdvance(QStringLiteral("99.9 %")),
                    metrics.horizontalAdvance(QStringLiteral("< 0.1 %")));
  }
};

}  // namespace

OperatorsTable::OperatorsTable(QWidget* parent) : QTableView(parent) {
  m_proxy.setSourceModel(&m_model);
  m_proxy.setSortRole(OperatorsModel::kSortRole);
  setModel(&m_proxy);
  setItemDelegateForColumn(OperatorsModel::ShareColumn, new SplitDelegate(this));
  TableSetup setup;
  setup.name = QStringLiteral("strategyOperators");
  setup.accessible = tr("Operators by cost");
  setup.toolTip = tr("Enter: its configurations; P: pin or unpin; F: fold or unfold its layers; Ctrl+C: copy the row");
  setup.fitted = true;
  setup.sortedBy = OperatorsModel::ShareColumn;
  setup.order = Qt::DescendingOrder;
  setUpTable(*this, setup);
  setTextElideMode(Qt::ElideMiddle);
  horizontalHeader()->setMinimumSectionSize(6 * Theme::kGrid);
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (index.isValid()) emit vertexSelected(vertexOf(index));
  });
  connect(this, &QTableView::activated, this,
          [this](const QModelIndex& index) { emit vertexActivated(vertexOf(index)); });
}

// Goes before its models, whose end would look like a change of selection.
OperatorsTable::~OperatorsTable() { setModel(nullptr); }

int OperatorsTable::vertexOf(const QModelIndex& index) const { return m_proxy.mapToSource(index).row(); }

int OperatorsTable::selected() const { return currentIndex().isValid() ? vertexOf(currentIndex()) : -1; }

void OperatorsTable::show(std::shared_ptr<const StrategyInstance> instance, const StrategyPicture& picture) {
  m_model.show(std::move(instance), picture);
}

void OperatorsTable::select(int vertex) {
  if (vertex == selected()) return;
  const QSignalBlocker blocker(this);
  if (vertex < 0 || vertex >= m_model.rowCount()) return clearSelection();
  const QModelIndex index = m_proxy.mapFromSource(m_model.index(vertex, 0));
  selectRow(index.row());
  scrollTo(index);
}

void OperatorsTable::copy() const {
  if (selected() < 0) return;
  QGuiApplication::clipboard()->setText(m_model.headings() + '\n' + m_model.lineOf(selected()) + '\n');
}

void OperatorsTable::keyPressEvent(QKeyEvent* event) {
  const bool plain = event->modifiers() == Qt::NoModifier && selected() >= 0;
  if (event->matches(QKeySequence::Copy)) {
    copy();
  } else if (plain && event->key() == Qt::Key_P) {
    emit pinToggled(selected());
  } else if (plain && event->key() == Qt::Key_F) {
    emit foldToggled(selected());
  } else {
    QTableView::keyPressEvent(event);
  }
}

void OperatorsTable::contextMenuEvent(QContextMenuEvent* event) {
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const QModelIndex index = byKey ? currentIndex() : indexAt(viewport()->mapFromGlobal(event->globalPos()));
  if (!index.isValid()) return;
  selectRow(index.row());
  const QPoint at = byKey ? viewport()->mapToGlobal(visualRect(index).center()) : event->globalPos();
  emit menuWanted(vertexOf(index), at);
}

}  // namespace p2::views
