// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/level_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QTableView>
#include <algorithm>

#include "views/common/theme.h"
#include "views/system/levels_model.h"

namespace p2::views {

LevelColumns::LevelColumns(QTableView& table) : QObject(&table), m_table(table) {
  QHeaderView& header = *table.horizontalHeader();
  for (int column = 0; column < LevelsModel::ColumnCount; ++column) {
    if (column != LevelsModel::Network) header.setSectionResizeMode(column, QHeaderView::Fixed);
  }
  const QAbstractItemModel* model = table.model();
  connect(model, &QAbstractItemModel::modelReset, this, &LevelColumns::fit);
  connect(model, &QAbstractItemModel::dataChanged, this, &LevelColumns::fit);
  connect(model, &QAbstractItemModel::rowsInserted, this, &LevelColumns::fit);
  connect(model, &QAbstractItemModel::rowsRemoved, this, &LevelColumns::fit);
  table.viewport()->installEventFilter(this);
  table.installEventFilter(this);
  fit();
}

bool LevelColumns::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) fit();
  return QObject::eventFilter(watched, event);
}

int LevelColumns::widthOf(int column) const {
  const QAbstractItemModel& model = *m_table.model();
  int width = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QString text = model.index(row, column).data().toString();
    width = std::max(width, m_table.fontMetrics().horizontalAdvance(text));
  }
  return std::max(width + Theme::kGrid + Theme::kGrid / 2, m_table.horizontalHeader()->sectionSizeHint(column));
}

void LevelColumns::fit() {
  int needed = 0;
  for (int column = 0; column < LevelsModel::ColumnCount; ++column) {
    if (column == LevelsModel::Network) continue;
    const int width = widthOf(column);
    m_table.setColumnWidth(column, width);
    needed += width;
  }
  const int left = m_table.viewport()->width() - needed;
  // Layouts learn the width of all figures in this font.
  const int rows = m_table.verticalHeader()->isHidden() ? 0 : m_table.verticalHeader()->sizeHint().width();
  m_table.setMinimumWidth(needed + rows + 2 * m_table.frameWidth());
  constexpr int kLeastCharacters = 6;
  const int least = std::max(kLeastCharacters * m_table.fontMetrics().averageCharWidth(),
                             m_table.horizontalHeader()->sectionSizeHint(LevelsModel::Network) + Theme::kGrid);
  m_table.setColumnHidden(LevelsModel::Network, left < least);
}

}  // namespace p2::views
