// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "explore/explore.h"
#include "step/other_axes.h"

namespace p2::views {

/// The effect of each placement of an exploration (a row) on the rest of a training step: without a workload the cost
/// of the axes that are not reduced over, with one the seconds per step. A cheap value that shares its sources.
class PlacementNotes {
 public:
  enum class Kind { None, OtherAxes, Step };

  PlacementNotes() = default;
  /// Kind::None if there are no other axes. O(placements · log placements), as the next.
  PlacementNotes(std::shared_ptr<const Exploration> exploration, std::shared_ptr<const OtherAxes> others);
  PlacementNotes(std::shared_ptr<const Exploration> exploration, std::shared_ptr<const StepRanking> ranking);

  [[nodiscard]] Kind kind() const { return m_kind; }
  /// "tensor 9.0×\n37.6 ms/GiB": the axis that suffers most, with the factor over its best and ▲ where that is a
  /// warning; or "5.33 s" per step. Empty if nothing is known of the row; tip() likewise.
  [[nodiscard]] QString text(int row) const;
  /// All axes, or all figures of the step, one per line.
  [[nodiscard]] QString tip(int row) const;
  /// The sort key of a row: factor over the best, or seconds.
  [[nodiscard]] double rank(int row) const;
  [[nodiscard]] bool warns(int row) const;
  /// "communication per step", or "step" once the workload gives seconds of computation.
  [[nodiscard]] QString stepTimeName() const;
  /// Whether the row is the best by seconds per step.
  [[nodiscard]] bool isBest(int row) const;
  /// The conclusion as a sentence in rich text. Its links are "workload" and numbers of rows.
  [[nodiscard]] QString finding() const;
  /// The communication of a step on the placement of a row as a sentence in rich text, with a link to the row; empty if
  /// it is not ranked by the step.
  [[nodiscard]] QString communicationOf(int row) const;

 private:
  [[nodiscard]] const OtherAxisCost* worst(int row) const;
  [[nodiscard]] const PlacementStep* step(int row) const;
  [[nodiscard]] QString othersFinding() const;
  [[nodiscard]] QString stepFinding() const;

  Kind m_kind = Kind::None;
  std::shared_ptr<const Exploration> m_exploration;
  std::shared_ptr<const OtherAxes> m_others;
  std::shared_ptr<const StepRanking> m_ranking;
  std::vector<const std::vector<OtherAxisCost>*> m_othersOf;  // by row
  std::vector<const PlacementStep*> m_stepOf;                 // by row
};

/// An axis that costs this many times its best or more is a warning.
inline constexpr double kWarningFactor = 2;

}  // namespace p2::views
