// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table.h"

#include <QHeaderView>
#include <QTableView>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kMeasuredRows = 50;
constexpr QSize kMostIcon(18, 18);

/// Headings with room around their text: a fitted section is as wide as the text alone, whose first letter is cut then.
class RoomyHeader : public QHeaderView {
 public:
  explicit RoomyHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) { setSectionsClickable(true); }

 protected:
  [[nodiscard]] QSize sectionSizeFromContents(int section) const override {
    return QHeaderView::sectionSizeFromContents(section) + QSize(Theme::kGrid, 0);
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
  if (setup.fitted) table.setHorizontalHeader(new RoomyHeader(&table));
  setUpColumns(*table.horizontalHeader(), setup);
  if (setup.sortedBy == TableSetup::kNone) return;
  table.setSortingEnabled(true);
  table.sortByColumn(setup.sortedBy, setup.order);
}

}  // namespace p2::views
