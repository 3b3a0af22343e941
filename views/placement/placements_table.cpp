// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/placements_table.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <algorithm>

#include "views/common/matrix_painter.h"
#include "views/common/table.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kSortArrow = 16;
/// In the order in which they go.
constexpr std::array kFoldable{PlacementsModel::Programs, PlacementsModel::FlatTime, PlacementsModel::Speedup};
/// Of these the words are cut short after those have gone.
constexpr std::array kShortened{PlacementsModel::BestProgram, PlacementsModel::OtherAxes};
constexpr int kLeastChars = 9;  // of those

}  // namespace

PlacementsTable::PlacementsTable(PlacementsProxy& placements, QWidget* parent)
    : QTableView(parent), m_placements(placements) {
  setModel(&placements);
  setItemDelegateForColumn(PlacementsModel::Matrix, new MatrixDelegate(this));
  TableSetup setup;
  setup.name = QStringLiteral("placementsTable");
  setup.accessible = tr("Placements");
  setup.toolTip = tr("Enter or double click: the programs of this placement");
  setup.sortedBy = PlacementsModel::BestTime;
  setUpTable(*this, setup);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setTextElideMode(Qt::ElideRight);
  horizontalHeader()->setStretchLastSection(true);
  connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &PlacementsTable::fold);
}

int PlacementsTable::headingWidth(int column) const {
  const QString title = m_placements.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  const int words = horizontalHeader()->fontMetrics().horizontalAdvance(title);
  return words + 2 * Theme::kGrid + (title.isEmpty() ? 0 : kSortArrow);
}

int PlacementsTable::leastWidth(int column) const {
  const bool words = std::find(kShortened.begin(), kShortened.end(), column) != kShortened.end();
  const int wanted = m_wanted[std::size_t(column)];
  return words ? std::min(wanted, kLeastChars * fontMetrics().averageCharWidth() + Theme::kGrid) : wanted;
}

QSize PlacementsTable::minimumSizeHint() const {
  int width = 2 * frameWidth() + verticalScrollBar()->sizeHint().width();
  for (int column = 0; column < PlacementsModel::ColumnCount; ++column) {
    const bool folds = std::find(kFoldable.begin(), kFoldable.end(), column) != kFoldable.end();
    if (!folds && !isLeftOut(column)) width += leastWidth(column);
  }
  return {width, QTableView::minimumSizeHint().height()};
}

void PlacementsTable::fit(PlacementNotes::Kind notes) {
  m_notes = notes;
  const PlacementsModel& model = m_placements.placements();
  if (model.rowCount() > 0) {
    const QFontMetrics metrics(Theme::tabularFont());
    verticalHeader()->setDefaultSectionSize(matrixSize(model.placement(0).matrix, metrics).height() + Theme::kGrid);
  }
  for (int column = 0; column < PlacementsModel::ColumnCount; ++column) {
    m_wanted[std::size_t(column)] = std::max(sizeHintForColumn(column) + Theme::kGrid, headingWidth(column));
  }
  updateGeometry();
  fold();
}

// The right mouse button chooses nothing: the selected placement is to be compared with the one below the mouse.
void PlacementsTable::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::RightButton) QTableView::mousePressEvent(event);
}

void PlacementsTable::contextMenuEvent(QContextMenuEvent* event) {
  const QModelIndex row = m_placements.mapToSource(indexAt(viewport()->mapFromGlobal(event->globalPos())));
  if (!row.isValid()) return;
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("placementRowMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  QAction* compare = menu->addAction(tr("Compare with this placement (pin as B)"), this,
                                     [this, at = row.row()] { emit pinWanted(at); });
  compare->setObjectName(QStringLiteral("pinPlacementAction"));
  menu->popup(event->globalPos());
}

void PlacementsTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fold();
}

bool PlacementsTable::isLeftOut(int column) const {
  return (column == PlacementsModel::OtherAxes && m_notes != PlacementNotes::Kind::OtherAxes) ||
         (column == PlacementsModel::Step && m_notes != PlacementNotes::Kind::Step);
}

void PlacementsTable::fold() {
  if (m_wanted[PlacementsModel::Matrix] == 0) return;  // not fitted yet
  std::array<int, PlacementsModel::ColumnCount> widths = m_wanted;
  for (int column = 0; column < PlacementsModel::ColumnCount; ++column) {
    if (isLeftOut(column)) widths[std::size_t(column)] = 0;
  }
  const auto excess = [&] {
    int sum = 1 - viewport()->width();  // the last section is stretched, and may be rounded up
    for (const int width : widths) sum += width;
    return sum;
  };
  const int sorted = horizontalHeader()->sortIndicatorSection();
  for (const int column : kFoldable) {
    if (excess() > 0 && column != sorted) widths[std::size_t(column)] = 0;
  }
  for (const int column : kShortened) {
    int& width = widths[std::size_t(column)];
    if (width > 0) width = std::max(leastWidth(column), width - std::max(0, excess()));
  }
  for (int column = 0; column < PlacementsModel::ColumnCount; ++column) {
    const int width = widths[std::size_t(column)];
    setColumnHidden(column, width == 0);
    if (width > 0) setColumnWidth(column, width);
  }
}

}  // namespace p2::views
