// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "explore/explore.h"
#include "training_answer/training_request.h"

namespace p2::inline compare {

/// The best program of a placement on one machine.
struct PlacementSide {
  double seconds = 0;
  std::string program;  ///< as programTitle()
  std::string link;     ///< the busiest in its longest step; empty where nothing is sent
};

/// A placement on both machines; one that the levels of a machine do not have is missing there.
struct PlacementPair {
  ParallelismMatrix matrix;
  std::optional<PlacementSide> a;
  std::optional<PlacementSide> b;
  /// Time on the second machine, divided by that on the first; 0 unless both have it.
  [[nodiscard]] double ratio() const { return a && b && a->seconds > 0 ? b->seconds / a->seconds : 0; }
};

/// The placements and programs of one question on two machines.
struct PlacementComparison {
  std::vector<PlacementPair> pairs;  ///< by the time on the first machine, those that only the second has last
  std::string model;                 ///< cost model of both
  std::size_t bestA = 0;             ///< into pairs
  std::size_t bestB = 0;
  [[nodiscard]] bool bestChanges() const { return bestA != bestB; }
};

/// Explores a question on both machines. Errors: as exploreWorkspace() on either, with "A" or "B"; cancelled.
[[nodiscard]] Result<PlacementComparison> comparePlacements(const Workspace& question, const System& a, const System& b,
                                                            std::stop_token stop = {});

/// A training step on one machine.
struct StepSide {
  PlannedConfiguration planned;
  std::array<std::string, kExposedAxes.size()> links;  ///< busiest by axis; empty where an axis sends nothing
};

/// A part of a step on two machines, in seconds.
struct PartPair {
  std::string name;                 ///< "computation", "exposed tp"
  std::optional<ExposedAxis> axis;  ///< of exposed communication
  double a = 0;
  double b = 0;
};

/// A training step on two machines.
struct StepComparison {
  StepSide a;                     ///< the chosen configuration on the first machine, or its best
  bool isChosen = false;          ///< whether `a` is the chosen configuration
  std::string chosenProblem;      ///< why the chosen one cannot be on the first machine, so that `a` is the best
  std::optional<StepSide> kept;   ///< the configuration on the second
  std::string keptProblem;        ///< why it cannot be there
  std::optional<StepSide> bestB;  ///< best configuration of the second
  std::string bestProblem;
  std::vector<std::string> assumed;
  [[nodiscard]] bool bestChanges() const;
  /// The parts that `a` and `kept` sum to, in the order of a step; b is 0 without `kept`. Parts that neither has are
  /// left out.
  [[nodiscard]] std::vector<PartPair> parts() const;
  /// The part that makes more than half of the change from `a` to `kept`; none where none does, or where the step
  /// changes by less than a thousandth.
  [[nodiscard]] std::optional<PartPair> decidingPart() const;
};

/// Keeps `chosen`, or without one the best configuration of the first machine. Errors: as answerTraining() on the first
/// machine; cancelled.
[[nodiscard]] Result<StepComparison> compareSteps(const TrainingInput& input, const System& b,
                                                  const std::optional<ChosenConfiguration>& chosen = {},
                                                  std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2::inline compare
