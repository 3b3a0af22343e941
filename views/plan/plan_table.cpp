// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_table.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <algorithm>

#include "views/common/table.h"
#include "views/common/theme.h"
#include "views/plan/plan_bars.h"
#include "views/plan/plan_model.h"

namespace p2::views {
namespace {

constexpr int kLeastTimeCharacters = 30;
constexpr int kLeastDegreesCharacters = 40;
// Where the step would not be in sight with these.
constexpr int kNarrowTimeCharacters = 20;
constexpr int kNarrowDegreesCharacters = 24;

/// How wide a column of words becomes at most.
int mostCharacters(int column) {
  switch (column) {
    case PlanModel::Degrees:
      return 90;
    case PlanModel::Batch:
    case PlanModel::Layers:
    case PlanModel::Orders:
      return 18;
    default:
      return 24;
  }
}

}  // namespace

PlanTable::PlanTable(PlanModel& model, QWidget* parent) : QTableView(parent), m_model(model) {
  setModel(&model);
  auto* bars = new PlanBarDelegate(model, this);
  setItemDelegateForColumn(PlanModel::Time, bars);
  setItemDelegateForColumn(PlanModel::Memory, bars);
  setUpTable(*this, {.name = "planTable",
                     .accessible = tr("Configurations, fastest step first"),
                     .toolTip = {},
                     .striped = true,
                     .linesPerRow = 1,
                     .stretched = PlanModel::Time});
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (!m_syncing && index.isValid()) emit placeChosen(index.row());
  });
}

void PlanTable::fit() {
  QHeaderView& header = *horizontalHeader();
  const int character = fontMetrics().averageCharWidth();
  const QAbstractItemView* view = this;
  setColumnHidden(PlanModel::Batch, false);
  for (int column = 0; column < PlanModel::ColumnCount; ++column) {
    if (column == PlanModel::Time) continue;
    const QString title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const int heading = header.fontMetrics().horizontalAdvance(title) + 2 * Theme::kGrid;
    const int wanted = std::max(heading, view->sizeHintForColumn(column) + Theme::kGrid);
    setColumnWidth(column, std::max(heading, std::min(wanted, mostCharacters(column) * character)));
  }
  verticalHeader()->setDefaultSectionSize(
      std::max(fontMetrics().lineSpacing() + Theme::kGrid, 3 * Theme::kGrid + Theme::kGrid / 2));
  m_degreesWidth = columnWidth(PlanModel::Degrees);
  m_batchWidth = columnWidth(PlanModel::Batch);
  fitTime();
}

/// Degrees are elided before the step and its interval leave the window. Where that is not enough, microbatches, which
/// the tooltip has too, go first; then degrees and bars become narrower still.
void PlanTable::fitDegrees() {
  const int character = fontMetrics().averageCharWidth();
  int room = viewport()->width();
  for (const int column : {PlanModel::Place, PlanModel::Memory, PlanModel::Step}) room -= columnWidth(column);
  const auto least = [&](int characters) { return std::min(m_degreesWidth, characters * character); };
  const int standard = least(kLeastDegreesCharacters) + m_batchWidth + kLeastTimeCharacters * character;
  const bool narrow = room < standard;
  setColumnHidden(PlanModel::Batch, narrow);
  const QString heading = m_model.headerData(PlanModel::Time, Qt::Horizontal, Qt::DisplayRole).toString();
  m_leastTime = std::max((narrow ? kNarrowTimeCharacters : kLeastTimeCharacters) * character,
                         horizontalHeader()->fontMetrics().horizontalAdvance(heading) + 2 * Theme::kGrid);
  room -= m_leastTime + (narrow ? 0 : m_batchWidth);
  setColumnWidth(PlanModel::Degrees, std::max(std::min(room, m_degreesWidth),
                                              least(narrow ? kNarrowDegreesCharacters : kLeastDegreesCharacters)));
}

/// The bars take the width that the other columns leave, if it is enough; else the columns at the end are scrolled to.
void PlanTable::fitTime() {
  fitDegrees();
  int others = 0;
  for (int column = 0; column < PlanModel::ColumnCount; ++column) {
    if (column != PlanModel::Time && column != PlanModel::Orders) others += columnWidth(column);
  }
  const int left = viewport()->width() - others - columnWidth(PlanModel::Orders);
  horizontalHeader()->setSectionResizeMode(PlanModel::Time,
                                           left >= m_leastTime ? QHeaderView::Stretch : QHeaderView::Interactive);
  if (left < m_leastTime) setColumnWidth(PlanModel::Time, std::max(m_leastTime, viewport()->width() - others));
}

void PlanTable::showRow(int row) {
  const QScopedValueRollback syncing(m_syncing, true);
  if (row >= 0) return selectRow(row);
  clearSelection();
  setCurrentIndex({});
}

void PlanTable::copyRow() const {
  if (currentIndex().isValid()) QGuiApplication::clipboard()->setText(m_model.lineOf(currentIndex().row()));
}

void PlanTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  if (m_model.rowCount() > 0) fitTime();
}

void PlanTable::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_model.rowCount() > 0) fit();
}

}  // namespace p2::views
