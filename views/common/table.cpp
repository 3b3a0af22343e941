// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table.h"

#include <QHeaderView>
#include <QPainter>
#include <QPolygonF>
#include <QTableView>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kMeasuredRows = 50;
constexpr QSize kMostIcon(18, 18);

constexpr QSize kMark(7, 4);

/// Headings with room around their text: a fitted section is as wide as the text alone, whose first letter is cut then.
/// The mark of sorting is above the text and takes nothing from it, so that a heading stands over its cells.
class RoomyHeader : public QHeaderView {
 public:
  explicit RoomyHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) { setSectionsClickable(true); }

 protected:
  [[nodiscard]] QSize sectionSizeFromContents(int section) const override {
    return QHeaderView::sectionSizeFromContents(section) + QSize(Theme::kGrid / 2, 0);
  }

  void paintSection(QPainter* painter, const QRect& rect, int section) const override {
    QHeaderView::paintSection(painter, rect, section);
    if (!isSortIndicatorShown() || sortIndicatorSection() != section) return;
    QRect mark(QPoint(), kMark);
    mark.moveCenter(rect.center());
    mark.moveTop(rect.top() + 1);
    const bool ascending = sortIndicatorOrder() == Qt::AscendingOrder;
    const int base = ascending ? mark.top() : mark.bottom() + 1;
    const int tip = ascending ? mark.bottom() + 1 : mark.top();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(Theme::mutedText());
    painter->drawPolygon(QPolygonF{QPointF(mark.left(), base), QPointF(mark.right() + 1, base),
                                   QPointF(mark.left() + kMark.width() / 2.0, tip)});
    painter->restore();
  }
};

void setUpColumns(QHeaderView& header, const TableSetup& setup) {
  header.setHighlightSections(false);
  header.setTextElideMode(Qt::ElideRight);
  header.setResizeContentsPrecision(kMeasuredRows);
  if (setup.fitted) header.setSectionResizeMode(QHeaderView::ResizeToContents);
  if (setup.stretched != TableSetup::kNone) header.setSectionResizeMode(setup.stretched, QHeaderView::Stretch);
}

}  // namespace

void setUpTable(QTableView& table, const TableSetup& setup) {
  table.setObjectName(setup.name);
  table.setAccessibleName(setup.accessible);
  table.setToolTip(setup.toolTip);
  table.setSelectionMode(setup.selection);
  table.setSelectionBehavior(setup.cells ? QAbstractItemView::SelectItems : QAbstractItemView::SelectRows);
  table.setEditTriggers(setup.cells ? QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                                          QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked
                                    : QAbstractItemView::NoEditTriggers);
  table.setTabKeyNavigation(false);
  table.setShowGrid(false);
  table.setIconSize(kMostIcon);
  table.setAlternatingRowColors(setup.striped);
  table.setWordWrap(setup.linesPerRow > 1);
  table.verticalHeader()->hide();
  if (setup.linesPerRow > 0) {
    table.verticalHeader()->setDefaultSectionSize(setup.linesPerRow * table.fontMetrics().lineSpacing() + Theme::kGrid);
  }
  table.setHorizontalHeader(new RoomyHeader(&table));
  setUpColumns(*table.horizontalHeader(), setup);
  if (setup.sortedBy == TableSetup::kNone) return;
  table.setSortingEnabled(true);
  table.sortByColumn(setup.sortedBy, setup.order);
}

}  // namespace p2::views
