// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/best_model.h"

#include <algorithm>

#include "views/common/text.h"
#include "views/shell/summary.h"

namespace p2::views {

void BestModel::setExploration(std::shared_ptr<const Exploration> exploration) {
  if (exploration == m_exploration) return;
  reset([&] {
    m_exploration = std::move(exploration);
    m_rows = m_exploration ? bestRows(*m_exploration) : std::vector<BestRow>();
    m_longest = longestOf(m_rows);
  });
}

int BestModel::rowOf(int placement) const {
  const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                  [placement](const BestRow& row) { return row.placement == placement; });
  return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

std::vector<TableColumn> BestModel::columns() const {
  const QString single = m_exploration ? singleName(m_exploration->workspace) : QStringLiteral("AllReduce");
  return {
      {QString(), tr("★ the best placement, ◇ the default of the frameworks")},
      {tr("Placement"), tr("The parallelism matrix: a row per axis, a column per level of the system")},
      {tr("Best program"), tr("The program with the least predicted time, step by step")},
      {tr("Predicted time (hatched: one %1)").arg(single),
       tr("Solid: the best program. Hatched: one %1 over the whole group. Dotted: no program is faster").arg(single)}};
}

QString BestModel::text(int row, int column) const {
  const BestRow& best = m_rows[std::size_t(row)];
  switch (column) {
    case Name:
      return markedLetter(best);
    case Matrix:
      return qs(m_exploration->placements[std::size_t(best.placement)].matrix.text());
    case Program:
      return programOf(*m_exploration, best);
    default:
      return secondsText(best.best);
  }
}

QString BestModel::toolTip(int row, int) const {
  return QStringList{text(row, Matrix), text(row, Program), text(row, Times),
                     singleText(*m_exploration, m_rows[std::size_t(row)])}
      .join('\n');
}

QVariant BestModel::special(int row, int column, int role) const {
  if (role == Qt::UserRole && column == Matrix) return text(row, Matrix);
  return role == Qt::AccessibleDescriptionRole ? QVariant(toolTip(row, column)) : QVariant();
}

}  // namespace p2::views
