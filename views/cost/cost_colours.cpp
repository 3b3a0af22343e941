// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_colours.h"

#include <QObject>
#include <set>

#include "views/common/text.h"

namespace p2::views {

int outermostLevelCrossed(const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  for (std::size_t level = 0; level < matrix.columns(); ++level) {
    for (std::size_t axis = 0; axis < matrix.rows(); ++axis) {
      if (axes[axis].reduce && matrix.at(axis, level) > 1) return int(level);
    }
  }
  return int(matrix.columns()) - 1;
}

CostColours::CostColours(const Exploration& exploration) {
  for (const Level& level : exploration.workspace.system.levels) m_names.push_back(level.name);
  if (exploration.placements.size() <= kMostPlacements) return;
  for (const PlacementResult& placement : exploration.placements) {
    m_levels.push_back(outermostLevelCrossed(exploration.workspace.axes, placement.matrix));
  }
}

int CostColours::categoryOf(int placement) const { return byLevel() ? m_levels[std::size_t(placement)] : placement; }

std::vector<int> CostColours::categories() const {
  const std::set<int> levels(m_levels.begin(), m_levels.end());
  return {levels.begin(), levels.end()};
}

QString CostColours::nameOf(int category) const {
  const auto level = std::size_t(category);
  if (level > 0 && level + 1 == m_names.size()) {
    return QObject::tr("stays in a %1").arg(qs(m_names[level - 1]));
  }
  return QObject::tr("crosses %1s").arg(qs(m_names[level]));
}

}  // namespace p2::views
