// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_list.h"

#include <QHeaderView>
#include <algorithm>

#include "views/common/table.h"

namespace p2::views {
namespace {

constexpr int kLeastProgramCharacters = 24;

}  // namespace

RunList::RunList(RunsModel& model, QWidget* parent) : QTableView(parent), m_model(model) {
  m_filter.setSourceModel(&m_model);
  setModel(&m_filter);
  TableSetup setup;
  setup.name = QStringLiteral("runTable");
  setup.accessible = tr("Runs");
  setup.selection = ExtendedSelection;
  setup.striped = true;
  setup.fitted = true;
  setup.sortedBy = RunsModel::When;
  setup.order = Qt::DescendingOrder;
  setUpTable(*this, setup);
  // In small windows, columns repeated by the charts' titles are scrolled out of sight.
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setSectionResizeMode(RunsModel::Program, QHeaderView::Interactive);
  // A header measures its contents only once.
  connect(&m_filter, &QAbstractItemModel::rowsInserted, this, &RunList::fit);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunList::chosenChanged);
}

/// A long program is elided before the measured time leaves the window.
void RunList::fit() {
  QHeaderView& header = *horizontalHeader();
  header.resizeSections(QHeaderView::ResizeToContents);
  int missing = -viewport()->width();
  for (int column = 0; column <= RunsModel::Difference; ++column) missing += header.sectionSize(column);
  if (missing <= 0) return;
  const int least = kLeastProgramCharacters * fontMetrics().averageCharWidth();
  const int whole = columnWidth(RunsModel::Program);
  setColumnWidth(RunsModel::Program, std::min(whole, std::max(least, whole - missing)));
}

void RunList::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit();
}

void RunList::setFilter(const QString& text) { m_filter.setFilterFixedString(text); }

const RunRow& RunList::rowAt(const QModelIndex& index) const { return m_model.row(m_filter.mapToSource(index).row()); }

std::vector<RunRow> RunList::shown(std::size_t most) const {
  std::vector<RunRow> rows;
  const int count = int(std::min(most, std::size_t(m_filter.rowCount())));
  rows.reserve(std::size_t(count));
  for (int row = 0; row < count; ++row) rows.push_back(rowAt(m_filter.index(row, 0)));
  return rows;
}

std::vector<RunRow> RunList::chosen() const {
  std::vector<RunRow> rows;
  for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(rowAt(index));
  return rows;
}

void RunList::choose(qint64 id) {
  for (int row = 0; row < m_filter.rowCount(); ++row) {
    if (rowAt(m_filter.index(row, 0)).id == id) return selectRow(row);
  }
}

}  // namespace p2::views
