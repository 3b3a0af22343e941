// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "explore/explore.h"

namespace p2::views {

/// The categories of colours that stand for placements: one for each of a few, else one for all whose reduction crosses
/// the same level outermost, for more colours than eight say nothing.
class CostColours {
 public:
  static constexpr std::size_t kMostPlacements = 8;

  CostColours() = default;
  explicit CostColours(const Exploration& exploration);

  [[nodiscard]] bool byLevel() const { return !m_levels.empty(); }
  [[nodiscard]] int categoryOf(int placement) const;
  /// The levels, for colours by level, that some reduction crosses outermost, the outermost first.
  [[nodiscard]] std::vector<int> categories() const;
  /// "crosses nodes", "stays in a node": what such a category stands for.
  [[nodiscard]] QString nameOf(int category) const;

 private:
  std::vector<std::string> m_names;  // names of the levels
  std::vector<int> m_levels;         // by placement; empty where each has its own colour
};

/// The outermost level with several instances in one reduction group.
[[nodiscard]] int outermostLevelCrossed(const std::vector<Axis>& axes, const ParallelismMatrix& matrix);

}  // namespace p2::views
