// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "training/planner.h"
#include "workload/workload.h"

namespace p2::inline timeline {

/// A collective of a training step on its placement.
struct StepCollective {
  ExposedAxis axis = ExposedAxis::Tensor;
  TrainingGroup group = TrainingGroup::Tensor;
  WorkloadEntry entry;       ///< with the bytes of the full tensor and how often a device runs it in a step
  std::int64_t members = 1;  ///< devices of a group
  double seconds = 0;        ///< of one run, in all groups at once, whether computation hides it or not
  std::string span;          ///< the levels that a group spans: "gpu 8", "node 16"
  std::string link;          ///< a link that is busiest
};

/// "tensor parallel": the words for an axis whose communication a step waits for.
[[nodiscard]] std::string_view describe(ExposedAxis axis);

/// The prices of a planned configuration's placement, as planTraining() used them. Errors: as PlacementPricer; a
/// placement that the framework's orders do not give.
[[nodiscard]] Result<PricedPlacement> pricedPlacementOf(const ModelShape& model, const System& system,
                                                        const PlannedConfiguration& planned, std::stop_token stop = {});

/// Communication of a device of a middle stage in a step: generateWorkload(), priced. In the order of
/// kExposedAxes. Errors as generateWorkload(), except that a step without communication has none.
[[nodiscard]] Result<std::vector<StepCollective>> stepCollectives(const ModelShape& model, const System& system,
                                                                  const TrainingConfiguration& configuration,
                                                                  const PricedPlacement& placement);

}  // namespace p2::inline timeline
