// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "explore/explore.h"
#include "step/other_axes.h"

namespace p2::views {

/// What the placements of an exploration mean for all else that a training step communicates, row by row: without a
/// workload what the axes pay that are not reduced over, with one the seconds of the whole step. A value; what it was
/// made from is shared.
class PlacementNotes {
 public:
  enum class Kind { None, OtherAxes, Step };

  PlacementNotes() = default;
  /// Kind::None if there are no other axes. O(placements · log placements), as the next.
  PlacementNotes(std::shared_ptr<const Exploration> exploration, std::shared_ptr<const OtherAxes> others);
  PlacementNotes(std::shared_ptr<const Exploration> exploration, std::shared_ptr<const StepRanking> ranking);

  [[nodiscard]] Kind kind() const { return m_kind; }
  /// "tensor 9.0×\n37.6 ms/GiB": how many times its best the axis pays that suffers most, with a sign in front where
  /// that is a warning; "5.33 s". Empty where nothing is known of the row, as are the others.
  [[nodiscard]] QString text(int row) const;
  /// All axes, or all of the step, line by line.
  [[nodiscard]] QString tip(int row) const;
  /// By which rows are sorted: times the best, or seconds.
  [[nodiscard]] double rank(int row) const;
  [[nodiscard]] bool warns(int row) const;
  /// Whether the row is the best for the whole step.
  [[nodiscard]] bool isBest(int row) const;
  /// What follows for who looks at one reduction, as a sentence in rich text. Links lead to "workload" or to the number
  /// of a row.
  [[nodiscard]] QString finding() const;

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

/// From so many times its best on, what an axis pays is a warning.
inline constexpr double kWarningFactor = 2;

}  // namespace p2::views
