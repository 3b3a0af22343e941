// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/model/parts_table.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <utility>

#include "base/units.h"
#include "views/common/ratio_text.h"
#include "views/common/styled_cell.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

/// A figure, its share of the sum, and the share as a bar.
class ShareDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString figure = cell.text;
    cell.text.clear();
    paintStyledCell(*painter, cell);
    painter->save();
    painter->setFont(cell.font);
    painter->setPen(
        cell.palette.color(cell.state.testFlag(QStyle::State_Selected) ? QPalette::HighlightedText : QPalette::Text));
    QRectF rest = QRectF(option.rect).adjusted(kMargin, 0, -kMargin, 0);
    const auto write = [&](const QString& text, const char* widest) {
      const double width = cell.fontMetrics.horizontalAdvance(QString::fromLatin1(widest));
      painter->drawText(QRectF(rest.left(), rest.top(), width, rest.height()), Qt::AlignRight | Qt::AlignVCenter, text);
      rest.setLeft(rest.left() + width + kMargin);
    };
    write(figure, kWidestFigure);
    const double share = index.data(PartsModel::kShareRole).toDouble();
    write(share > 0 ? shareText(share) : QString(), kWidestShare);
    const double length = std::max(0.0, std::min(1.0, share) * rest.width());
    painter->fillRect(QRectF(rest.left(), rest.center().y() - kHeight / 2.0, length, kHeight), Theme::accent());
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const int figures = cell.fontMetrics.horizontalAdvance(QString::fromLatin1(kWidestFigure)) +
                        cell.fontMetrics.horizontalAdvance(QString::fromLatin1(kWidestShare));
    return {figures + 4 * kMargin + kLeastBar, QStyledItemDelegate::sizeHint(option, index).height()};
  }

 private:
  static constexpr int kHeight = 9;
  static constexpr int kLeastBar = 32;
  static constexpr int kMargin = 8;
  static constexpr const char* kWidestFigure = "88.88 million";
  static constexpr const char* kWidestShare = "< 0.1 %";
};

}  // namespace

QString largeText(double number) {
  struct Scale {
    double factor;
    const char* name;
  };
  static constexpr Scale kScales[] = {{1e12, QT_TRANSLATE_NOOP("ModelFacts", "trillion")},
                                      {1e9, QT_TRANSLATE_NOOP("ModelFacts", "billion")},
                                      {1e6, QT_TRANSLATE_NOOP("ModelFacts", "million")}};
  for (const Scale& scale : kScales) {
    if (number >= scale.factor) {
      return QStringLiteral("%1 %2").arg(QString::number(number / scale.factor, 'g', 3),
                                         QCoreApplication::translate("ModelFacts", scale.name));
    }
  }
  return QString::number(number, 'f', 0);
}

void PartsModel::show(std::vector<ModelPart> parts, const ModelShape& model, double stateBytes) {
  reset([&] {
    m_parts = std::move(parts);
    m_model = model;
    m_stateBytes = stateBytes;
    ModelPart sum;
    for (const ModelPart& part : m_parts) {
      sum.parameters += part.parameters;
      sum.flop += part.flop;
    }
    m_parts.push_back(sum);
  });
}

std::vector<TableColumn> PartsModel::columns() const {
  return {{tr("Part")},
          {tr("Layers"), tr("Number of layers with this part; – for a part outside the layers"), true},
          {tr("Parameters"), tr("Sum over all layers")},
          {tr("FLOP per token"), tr("Forward and backward, with causal attention over the sequence, without "
                                    "recomputation; only the experts of one token")},
          {tr("States"), tr("Parameters in 16 bits, gradients and Adam's states in 32: 18 bytes for each parameter"),
           true}};
}

QString PartsModel::nameOf(const ModelPart& part) const {
  switch (part.kind) {
    case ModelPartKind::Embedding:
      return tr("Embedding");
    case ModelPartKind::Attention:
      return m_model.otherBlocks.empty() ? tr("Attention") : tr("Attention, %1").arg(qs(m_model.otherBlocks));
    case ModelPartKind::Scores:
      return tr("Attention scores");
    case ModelPartKind::Mlp:
      return tr("MLP");
    case ModelPartKind::Experts:
      return tr("Experts, %1 of %2 for a token").arg(m_model.expertsPerToken).arg(m_model.experts);
    case ModelPartKind::Shared:
      return m_model.sharedFfn > 0 ? tr("Routers and shared experts") : tr("Routers");
    case ModelPartKind::Norms:
      return tr("Norms");
    case ModelPartKind::Head:
      return m_model.tiedEmbeddings ? tr("Head (tied to the embedding)") : tr("Head");
    case ModelPartKind::Other:
      return tr("Other blocks");
  }
  return {};
}

QString PartsModel::text(int row, int column) const {
  const ModelPart& part = m_parts[std::size_t(row)];
  switch (column) {
    case PartColumn:
      return isSum(row) ? tr("Model") : nameOf(part);
    case LayersColumn:
      return isSum(row)        ? QString::number(m_model.layers)
             : part.layers > 0 ? QString::number(part.layers)
                               : QStringLiteral("–");
    case ParametersColumn:
      return part.parameters == 0 ? QStringLiteral("–") : largeText(part.parameters);
    case FlopColumn:
      return part.flop == 0 ? QStringLiteral("–") : qs(formatFlops(part.flop)).remove(QStringLiteral("/s"));
    default:
      return part.parameters == 0 ? QStringLiteral("–") : bytesText(Bytes(m_stateBytes * part.parameters));
  }
}

QVariant PartsModel::special(int row, int column, int role) const {
  const ModelPart& part = m_parts[std::size_t(row)];
  const ModelPart& sum = m_parts.back();
  if (role == kShareRole && column == ParametersColumn)
    return sum.parameters > 0 ? part.parameters / sum.parameters : 0;
  if (role == kShareRole && column == FlopColumn) return sum.flop > 0 ? part.flop / sum.flop : 0;
  return {};
}

PartsTable::PartsTable(QWidget* parent) : QTableView(parent) {
  setModel(&m_model);
  auto* shares = new ShareDelegate(this);
  for (const int column : {PartsModel::ParametersColumn, PartsModel::FlopColumn})
    setItemDelegateForColumn(column, shares);
  TableSetup setup;
  setup.name = QStringLiteral("modelParts");
  setup.accessible = tr("Parts of the model");
  setup.toolTip = tr("Parameters, work and memory of the model by part");
  setUpTable(*this, setup);
  QHeaderView& header = *horizontalHeader();
  header.setSectionResizeMode(QHeaderView::ResizeToContents);
  for (const int column : {PartsModel::ParametersColumn, PartsModel::FlopColumn}) {
    header.setSectionResizeMode(column, QHeaderView::Stretch);
  }
}

// Goes before its model, whose end would look like a change of selection.
PartsTable::~PartsTable() { setModel(nullptr); }

void PartsTable::show(std::vector<ModelPart> parts, const ModelShape& model, double stateBytes) {
  m_model.show(std::move(parts), model, stateBytes);
  setMaximumHeight(verticalHeader()->length() + horizontalHeader()->sizeHint().height() + 2 * frameWidth());
}

}  // namespace p2::views
