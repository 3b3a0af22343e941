// SPDX-License-Identifier: GPL-3.0-or-later
#include "whatif/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"
#include "system/interconnects.h"
#include "system/oversubscription.h"
#include "training/framework_placements.h"
#include "training/planner.h"
#include "training/step_detail.h"
#include "training/tie_margin.h"
#include "whatif/system_changes.h"

namespace p2::inline whatif {

namespace {

// Of SXM and OAM boards, the more special word first.
constexpr std::array<std::pair<std::string_view, double>, 15> kBoardPower{{{"V100", 300},
                                                                           {"A100-PCIE", 250},
                                                                           {"A100", 400},
                                                                           {"H100-PCIE", 350},
                                                                           {"H100", 700},
                                                                           {"H200", 700},
                                                                           {"H800", 700},
                                                                           {"GB200", 1200},
                                                                           {"GB300", 1400},
                                                                           {"B200", 1000},
                                                                           {"B300", 1100},
                                                                           {"MI250X", 560},
                                                                           {"MI300X", 750},
                                                                           {"MI325X", 1000},
                                                                           {"MI355X", 1400}}};

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

/// "the spine carries nothing of this plan: every axis that crosses nodes stays on its rail": one sentence without a
/// full stop, where no collective of the planned step takes longer with next to no bandwidth there; empty otherwise.
/// Errors: as PlacementPricer.
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

bool isSame(const PlannedConfiguration& a, const PlannedConfiguration& b) {
  return a.framework == b.framework && a.configuration == b.configuration && a.matrix == b.matrix;
}

std::int64_t largestPrimeOf(std::int64_t number) {
  std::int64_t largest = 1;
  for (std::int64_t factor = 2; factor * factor <= number; ++factor) {
    for (; number % factor == 0; number /= factor) largest = factor;
  }
  return std::max(largest, number);
}

/// "88 devices have the prime factor 11, which one degree has to take: here pp 11". Empty unless the
/// number of devices has a prime factor above 3 that it did not have before, and a degree takes it.
std::string oddDegree(const TrainingPlan& plan, std::int64_t devices, std::int64_t before) {
  constexpr std::int64_t kCommon = 3;
  const std::int64_t prime = largestPrimeOf(devices);
  if (prime <= kCommon || before % prime == 0) return {};
  for (const auto& [name, degree] :
       {std::pair("tp", plan.tensor), std::pair("cp", plan.context), std::pair("pp", plan.pipeline)}) {
    if (degree % prime != 0) continue;
    return countedText(devices, "device") + " have the prime factor " + std::to_string(prime) +
           ", which one degree has to take: here " + name + " " + std::to_string(degree);
  }
  return {};
}

/// "every rack goes on with 7 nodes, as racks are equal: 1 working node is spare"; empty unless a node of a rack is
/// down.
std::string describeIdleNodes(const System& before, const System& after, const WhatIfChange& change) {
  const std::size_t depth = nodeDepth(before);
  if (depth < 2 || change.down.empty() || change.nodes || change.rackNodes) return {};
  const std::int64_t idle = nodeCount(before) - nodeCount(after) - 1;
  if (idle < 1) return {};
  const std::string node = nodeNameOf(after);
  return "every " + after.levels[depth - 2].name + " goes on with " + countedText(after.levels[depth - 1].count, node) +
         ", as " + pluralOf(after.levels[depth - 2].name) + " are equal: " + countedText(idle, "working " + node) +
         (idle == 1 ? " is" : " are") + " spare";
}

const PlannedConfiguration* fasterOf(const WhatIfPoint& point) {
  if (!point.kept) return point.best ? &*point.best : nullptr;
  if (!point.best) return &*point.kept;
  return point.best->estimate.seconds < point.kept->estimate.seconds ? &*point.best : &*point.kept;
}

}  // namespace

RunningCost runningCostOf(const Accelerator& accelerator) {
  RunningCost cost{{}, boardPowerOf(accelerator.type)};
  if (accelerator.price > 0) cost.pricePerDeviceHour = accelerator.price;
  if (accelerator.power > 0) cost.wattsPerDevice = accelerator.power;
  return cost;
}

std::optional<double> boardPowerOf(std::string_view type) {
  for (const auto& [begins, watts] : kBoardPower) {
    if (type.starts_with(begins)) return watts;
  }
  return std::nullopt;
}

std::optional<double> priceOf(const RunningCost& cost, const StepEstimate& step, std::int64_t devices, double tokens) {
  if (!cost.pricePerDeviceHour) return std::nullopt;
  const double hours = tokens / step.tokensPerSecond / 3600;
  return *cost.pricePerDeviceHour * static_cast<double>(devices) * hours;
}

std::optional<double> pricePerMillionTokens(const RunningCost& cost, const StepEstimate& step, std::int64_t devices) {
  return priceOf(cost, step, devices, 1e6);
}

std::optional<double> joulesPerToken(const RunningCost& cost, const StepEstimate& step, std::int64_t devices) {
  if (!cost.wattsPerDevice) return std::nullopt;
  return *cost.wattsPerDevice * static_cast<double>(devices) / step.tokensPerSecond;
}

std::string describeBest(const PlannedConfiguration& kept, const PlannedConfiguration& best) {
  if (isSame(kept, best)) return "this plan";
  const double gain = kept.estimate.seconds - best.estimate.seconds;
  const bool isFaster = gain >= 0;
  const std::string size =
      nearlyEqual(kept.estimate.seconds, best.estimate.seconds, kDisplayTolerance)
          ? std::string("as fast")
          : formatPercent(std::abs(gain) / kept.estimate.seconds) + (isFaster ? " faster" : " slower");
  if (!areTied(kept.estimate, best.estimate)) return size;
  return "no clear gain: " + size + ", within the error of ±" +
         formatPercent(tieMargin(kept.estimate, best.estimate) / kept.estimate.seconds);
}

bool WhatIfPoint::bestChanges() const {
  if (!best) return false;
  return !kept || (!isSame(*kept, *best) && !areTied(kept->estimate, best->estimate));
}

std::string WhatIfPoint::fewerText() const {
  if (!fewer) return {};
  return "dp " + std::to_string(fewer->planned.configuration.plan.data) + " on " + countedText(fewer->nodes, node) +
         ", batch " + std::to_string(fewer->batch);
}

Result<WhatIfPoint> whatIf(const TrainingQuestion& question, const ChosenConfiguration& chosen,
                           const WhatIfChange& change, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto next, changedQuestion(question, change));
  WhatIfPoint point;
  point.change = change;
  point.node = nodeNameOf(next.system);
  point.devices = next.system.deviceCount();
  point.cost = runningCostOf(next.system.accelerator);
  point.effects = effectsOf(next.system);
  if (const auto idle = describeIdleNodes(question.system, next.system, change); !idle.empty()) {
    point.effects.push_back(idle);
  }
  P2_TRY_ASSIGN(const auto wanted, changedChoice(chosen, change));
  auto planned = planChosen(next, wanted, stop);
  if (planned.ok()) {
    point.kept = std::move(*planned);
    if (change.oversubscription || change.spineBandwidth) {
      P2_TRY_ASSIGN(auto idle, describeIdleSpine(next, *point.kept, stop));
      if (!idle.empty()) point.effects.push_back(std::move(idle));
    }
  } else if (planned.error().kind == ErrorKind::Cancelled) {
    return planned.error();
  } else {
    point.keptProblem = planned.error().message;
  }
  return point;
}

Result<void> findBest(WhatIfPoint& point, const TrainingQuestion& question, std::stop_token stop,
                      const Progress& progress) {
  P2_TRY_ASSIGN(auto next, changedQuestion(question, point.change));
  next.best = 1;
  auto answer = answerTraining({std::move(next), {}}, stop, progress);
  if (answer.ok()) {
    point.best = std::move(answer->configurations.front());
    point.bestReason = oddDegree(point.best->configuration.plan, point.devices, question.system.deviceCount());
  } else if (answer.error().kind == ErrorKind::Cancelled) {
    return answer.error();
  } else {
    point.bestProblem = answer.error().message;
  }
  return {};
}

Result<void> findFewerReplicas(WhatIfPoint& point, const TrainingQuestion& question, const ChosenConfiguration& chosen,
                               std::stop_token stop) {
  if (point.change.down.empty() || point.kept) return {};
  WhatIfChange rest = point.change;
  rest.down.clear();
  P2_TRY_ASSIGN(const auto whole, changedQuestion(question, rest));
  P2_TRY_ASSIGN(const auto wanted, changedChoice(chosen, point.change));
  P2_TRY_ASSIGN(const auto choices, fixedChoicesFrom(wanted.choices));
  const std::int64_t nodes = nodeCount(whole.system);
  const std::int64_t node = whole.system.deviceCount() / nodes;
  const std::int64_t replica = choices.tensor.value_or(1) * choices.context.value_or(1) * choices.pipeline.value_or(1);
  if (point.devices == whole.system.deviceCount()) return {};
  for (std::int64_t left = point.devices / node; left > 0; --left) {
    if (left * node % replica != 0) continue;
    rest.nodes = left;
    auto changed = changedQuestion(question, rest);
    if (!changed.ok()) continue;
    TrainingQuestion next = std::move(changed).value();
    const std::int64_t unit = left * node / replica * choices.microbatch.value_or(1);
    next.batch = std::max<std::int64_t>(1, (next.batch + unit / 2) / unit) * unit;
    auto planned = planChosen(next, wanted, stop);
    if (planned.ok()) {
      point.fewer = FewerReplicas{left, left * node, next.batch, std::move(planned).value()};
      return {};
    }
    if (planned.error().kind == ErrorKind::Cancelled) return planned.error();
    if (planned.error().kind == ErrorKind::TooLarge) return {};
  }
  return {};
}

const RunningCost& costAt(const WhatIfPoint& point, const RunningCost& now) {
  return point.change.accelerator.empty() ? now : point.cost;
}

std::optional<std::size_t> cheapestWithin(const std::vector<WhatIfPoint>& points, const RunningCost& cost,
                                          double tokens, double seconds) {
  std::optional<std::size_t> cheapest;
  double least = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PlannedConfiguration* planned = fasterOf(points[i]);
    if (planned == nullptr || tokens / planned->estimate.tokensPerSecond > seconds) continue;
    const auto price = priceOf(costAt(points[i], cost), planned->estimate, points[i].devices, tokens);
    if (!price || (cheapest && *price >= least)) continue;
    cheapest = i;
    least = *price;
  }
  return cheapest;
}

}  // namespace p2::inline whatif
