// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "training/planner.h"

namespace p2::views {

/// Which configurations of a plan are listed.
struct PlanFilter {
  bool tensorInside = false;  ///< tensor parallelism stays inside a node
  bool spareTenth = false;    ///< a tenth of a device's memory stays free
  friend bool operator==(const PlanFilter&, const PlanFilter&) = default;
};

/// Whether a filter lets a configuration of an answer through. O(axes · levels).
[[nodiscard]] bool passes(const PlanFilter& filter, const PlannedConfiguration& planned, const System& system,
                          const TrainingAnswer& answer);
/// Places in the answer of the configurations that it lets through, in the answer's order. O(rows · axes · levels).
[[nodiscard]] std::vector<int> filteredRows(const TrainingAnswer& answer, const System& system,
                                            const PlanFilter& filter);

}  // namespace p2::views
