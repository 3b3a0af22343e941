// SPDX-License-Identifier: GPL-3.0-or-later
#include "whatif/detail/spine_load.h"

#include <algorithm>
#include <optional>

#include "base/counted.h"
#include "base/near.h"
#include "system/interconnects.h"
#include "system/oversubscription.h"
#include "training/framework_placements.h"
#include "training/step_detail.h"
#include "whatif/system_changes.h"

namespace p2::inline whatif {
namespace {

constexpr double kNextToNothing = 1000;  // oversubscription that leaves a thousandth

using Seconds = std::array<double, kExposedAxes.size()>;

/// All communication of a step by axis, hidden or not; none where the system does not have the placement.
Result<std::optional<Seconds>> communicationOn(const System& system, const TrainingQuestion& question,
                                               const PlannedConfiguration& planned, const std::stop_token& stop) {
  const TrainingPlacements pricers = trainingPlacements(question.model, system);
  const PlacementPricer& pricer = planned.needsRankFile() ? pricers.rankFiles : pricers.orders;
  P2_TRY_ASSIGN(const auto placements, pricer(*planned.framework, planned.configuration, stop));
  const auto found = std::find_if(placements.begin(), placements.end(),
                                  [&](const PricedPlacement& each) { return each.matrix == planned.matrix; });
  if (found == placements.end()) return std::optional<Seconds>();
  P2_TRY_ASSIGN(const auto accelerator, trainingAcceleratorOf(system));
  P2_TRY_ASSIGN(const auto detail, detailStep(question.model, planned.configuration, accelerator, *found->prices));
  Seconds seconds = detail.hidden;
  for (std::size_t axis = 0; axis < seconds.size(); ++axis) seconds[axis] += detail.estimate.parts.exposed[axis];
  return std::optional(seconds);
}

bool crossesNodes(const PlannedConfiguration& planned, const System& system) {
  for (std::size_t axis = 0; axis < planned.matrix.rows(); ++axis) {
    for (std::size_t level = 0; level < nodeDepth(system); ++level) {
      if (planned.matrix.at(axis, level) > 1) return true;
    }
  }
  return false;
}

}  // namespace

Result<std::string> describeIdleSpine(const TrainingQuestion& question, const PlannedConfiguration& planned,
                                      std::stop_token stop) {
  const auto part = oversubscribedPart(question.system);
  const auto starved = withOversubscription(question.system, kNextToNothing);
  if (!part.ok() || !starved.ok() || planned.matrix.empty()) return std::string();
  P2_TRY_ASSIGN(const auto now, communicationOn(question.system, question, planned, stop));
  P2_TRY_ASSIGN(const auto then, communicationOn(*starved, question, planned, stop));
  if (!now || !then) return std::string();
  for (std::size_t axis = 0; axis < now->size(); ++axis) {
    if (!nearlyEqual((*now)[axis], (*then)[axis])) return std::string();
  }
  const std::string nodes = pluralOf(nodeNameOf(question.system));
  const bool hasRails =
      part->kind == Place::Kind::Network && isSpine(question.system, question.system.networks[part->index]);
  const std::string name =
      hasRails ? "the " + question.system.networks[part->index].interconnect.name : "the network above the " + nodes;
  const std::string reason = !crossesNodes(planned, question.system) ? "no axis crosses " + nodes
                             : hasRails ? "every axis that crosses " + nodes + " stays on its rail"
                                        : "no collective crosses it";
  return name + " carries nothing of this plan: " + reason;
}

}  // namespace p2::inline whatif
