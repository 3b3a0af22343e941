// SPDX-License-Identifier: GPL-3.0-or-later
#include "whatif/what_if.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"
#include "base/units.h"
#include "system/oversubscription.h"
#include "whatif/system_changes.h"

namespace p2::inline whatif {
namespace {

constexpr std::int64_t kMostNodes = std::int64_t{1} << 20;
constexpr std::int64_t kMostJobs = 1000;
constexpr std::int64_t kMostSequences = std::int64_t{1} << 30;

Result<std::int64_t> wholeFrom(const std::string& text, std::int64_t most) {
  const auto value = parseInteger(text);
  if (!value || *value < 1 || *value > most) {
    return Error{"\"" + text + "\" is not a number from 1 to " + std::to_string(most)};
  }
  return *value;
}

Result<WhatIfChange> changeFrom(const std::string& quantity, const std::string& value) {
  WhatIfChange change;
  if (quantity == "nodes") {
    P2_TRY_ASSIGN(change.nodes, wholeFrom(value, kMostNodes));
  } else if (quantity == "rack") {
    P2_TRY_ASSIGN(change.rackNodes, wholeFrom(value, kMostNodes));
  } else if (quantity == "spine") {
    if (value.find('/') != std::string::npos) {
      P2_TRY_ASSIGN(change.spineBandwidth, parseBandwidth(value));
    } else {
      P2_TRY_ASSIGN(change.oversubscription, ratioFrom(value));
    }
  } else if (quantity == "nic") {
    P2_TRY_ASSIGN(change.nicBandwidth, parseBandwidth(value));
  } else if (quantity == "gpu") {
    change.accelerator = value;
  } else if (quantity == "batch") {
    P2_TRY_ASSIGN(change.batch, wholeFrom(value, kMostSequences));
  } else if (quantity == "sequence") {
    P2_TRY_ASSIGN(change.sequence, wholeFrom(value, kMostSequences));
  } else if (quantity == "down") {
    change.down = value;
  } else if (quantity == "jobs") {
    P2_TRY_ASSIGN(change.jobs, wholeFrom(value, kMostJobs));
  } else {
    std::string known;
    for (const std::string_view each : kWhatIfQuantities) known += (known.empty() ? "" : ", ") + std::string(each);
    return Error{"\"" + quantity + "\" cannot be varied; use one of " + known};
  }
  return change;
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

const PlannedConfiguration* fasterOf(const WhatIfPoint& point) {
  if (!point.kept) return point.best ? &*point.best : nullptr;
  if (!point.best) return &*point.kept;
  return point.best->estimate.seconds < point.kept->estimate.seconds ? &*point.best : &*point.kept;
}

}  // namespace

std::string describe(const WhatIfChange& change, std::string_view node) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (change.nodes) add(countedText(*change.nodes, node));
  if (change.rackNodes) add("racks of " + countedText(*change.rackNodes, node));
  if (change.spineBandwidth) add("spine " + formatBandwidth(*change.spineBandwidth));
  if (change.oversubscription) add("spine " + exactNumber(*change.oversubscription) + ":1");
  if (change.nicBandwidth) add("NICs of " + formatBandwidth(*change.nicBandwidth));
  if (!change.accelerator.empty()) add(change.accelerator);
  if (change.batch) add("batch " + std::to_string(*change.batch));
  if (change.sequence) add("sequences of " + countedText(*change.sequence, "token"));
  if (!change.down.empty()) add(change.down + (change.down.find(':') == std::string::npos ? " down" : ""));
  if (change.jobs) add(countedText(*change.jobs, "job") + " on the network");
  return text;
}

Result<std::vector<WhatIfChange>> whatIfChangesFrom(std::string_view text) {
  const auto sign = text.find('=');
  if (sign == std::string_view::npos) {
    return Error{"\"" + std::string(text) + "\" names no values; write nodes=2,4,8 or spine=1,2,4"};
  }
  std::vector<WhatIfChange> changes;
  // Names of parts have blanks in them.
  for (std::string value : commaParts(text.substr(sign + 1))) {
    value.erase(0, value.find_first_not_of(' '));
    value.erase(value.find_last_not_of(' ') + 1);
    if (value.empty()) continue;
    P2_TRY_ASSIGN(auto change, changeFrom(std::string(text.substr(0, sign)), value));
    changes.push_back(std::move(change));
  }
  if (changes.empty()) return Error{"\"" + std::string(text) + "\" names no values; write nodes=2,4,8 or spine=1,2,4"};
  return changes;
}

WhatIfChange combined(WhatIfChange first, const WhatIfChange& second) {
  if (second.nodes) first.nodes = second.nodes;
  if (second.rackNodes) first.rackNodes = second.rackNodes;
  if (second.oversubscription) first.oversubscription = second.oversubscription;
  if (second.spineBandwidth) first.spineBandwidth = second.spineBandwidth;
  if (second.nicBandwidth) first.nicBandwidth = second.nicBandwidth;
  if (!second.accelerator.empty()) first.accelerator = second.accelerator;
  if (second.batch) first.batch = second.batch;
  if (second.sequence) first.sequence = second.sequence;
  if (!second.down.empty()) first.down = second.down;
  if (second.jobs) first.jobs = second.jobs;
  return first;
}

Result<TrainingQuestion> changedQuestion(const TrainingQuestion& question, const WhatIfChange& change) {
  TrainingQuestion next = question;
  if (change.nodes) {
    P2_TRY_ASSIGN(next.system, withNodeCount(next.system, *change.nodes));
  }
  if (change.rackNodes) {
    P2_TRY_ASSIGN(next.system, withRackNodes(next.system, *change.rackNodes));
  }
  if (!change.accelerator.empty()) {
    P2_TRY_ASSIGN(next.system, withAccelerator(next.system, change.accelerator));
  }
  if (change.nicBandwidth) {
    P2_TRY_ASSIGN(next.system, withNicBandwidth(next.system, *change.nicBandwidth));
  }
  if (change.oversubscription) {
    P2_TRY_ASSIGN(next.system, withOversubscription(next.system, *change.oversubscription));
  }
  if (change.spineBandwidth) {
    P2_TRY_ASSIGN(next.system, withSpineBandwidth(next.system, *change.spineBandwidth));
  }
  if (!change.down.empty()) {
    P2_TRY_ASSIGN(next.system, withPartDown(next.system, change.down));
  }
  if (change.jobs) {
    P2_TRY_ASSIGN(next.system, withJobs(next.system, *change.jobs));
  }
  if (change.batch) next.batch = *change.batch;
  if (change.sequence) {
    next.sequence = *change.sequence;
    P2_TRY(checkSequence(next.model, next.sequence));
  }
  return next;
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
  auto planned = planChosen(next, chosen, stop);
  if (planned.ok()) {
    point.kept = std::move(*planned);
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
  P2_TRY_ASSIGN(const auto choices, fixedChoicesFrom(chosen.choices));
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
    auto planned = planChosen(next, chosen, stop);
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
