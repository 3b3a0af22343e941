// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/points_table.h"

#include <QEvent>
#include <QHeaderView>
#include <algorithm>

#include "views/common/table.h"
#include "views/common/theme.h"
#include "views/whatif/points_model.h"

namespace p2::views {
namespace {

constexpr int kLeastPlanCharacters = 24;

}  // namespace

PointsTable::PointsTable(PointsModel& model, QWidget* parent) : QTableView(parent) {
  setModel(&model);
  setUpTable(*this, {.name = QStringLiteral("whatIfPoints"),
                     .accessible = tr("The step over the values of a quantity"),
                     .toolTip = tr("This plan and the best one at each value of a quantity"),
                     .stretched = PointsModel::BestThere,
                     .fitted = true});
  connect(&model, &QAbstractItemModel::modelReset, this, &PointsTable::fit);
  connect(&model, &QAbstractItemModel::dataChanged, this, &PointsTable::fit);
  fit();
}

void PointsTable::setPriced(bool priced) {
  m_priced = priced;
  fit();
}

void PointsTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit();
}

bool PointsTable::event(QEvent* event) {
  const bool handled = QTableView::event(event);
  if (event->type() == QEvent::FontChange) fit();
  return handled;
}

void PointsTable::fit() {
  const auto widthOf = [this](int column) {
    const QString title = model()->headerData(column, Qt::Horizontal).toString();
    return std::max(sizeHintForColumn(column),
                    horizontalHeader()->fontMetrics().horizontalAdvance(title) + 2 * Theme::kGrid);
  };
  int room = viewport()->width() - kLeastPlanCharacters * fontMetrics().averageCharWidth();
  for (const int column : {PointsModel::Change, PointsModel::Kept, PointsModel::Best}) room -= widthOf(column);
  for (const int column : {PointsModel::Energy, PointsModel::Devices, PointsModel::Price}) {
    const bool wanted = column != PointsModel::Price || m_priced;
    if (wanted) room -= widthOf(column);
    setColumnHidden(column, !wanted || room < 0);
  }
}

}  // namespace p2::views
