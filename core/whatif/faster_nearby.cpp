// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"
#include "training_answer/plan_hints.h"
#include "whatif/what_if.h"

namespace p2::inline whatif {
namespace {

int evennessOf(std::int64_t number) {
  int twos = 0;
  for (; number > 0 && number % 2 == 0; number /= 2) ++twos;
  return twos;
}

/// The most even numbers below a number: one lower by at most a tenth and one by at most three tenths. Ascending; empty
/// where none is more even than the number itself.
std::vector<std::int64_t> evenNumbersBelow(std::int64_t number) {
  std::vector<std::int64_t> found;
  for (const std::int64_t tenths : {7, 9}) {
    std::int64_t most = number;
    for (std::int64_t each = number - 1; each > 0 && each * 10 >= number * tenths; --each) {
      if (evennessOf(each) > evennessOf(most)) most = each;
    }
    if (most != number && std::find(found.begin(), found.end(), most) == found.end()) found.push_back(most);
  }
  return found;
}

/// The best configuration of a question if it is definitely faster than the given tokens a second.
Result<std::optional<PlannedConfiguration>> fasterBest(TrainingQuestion question, double tokensPerSecond,
                                                       const std::stop_token& stop) {
  question.best = 1;
  auto answer = answerTraining({std::move(question), {}}, stop);
  if (!answer.ok() && answer.error().kind == ErrorKind::Cancelled) return answer.error();
  if (!answer.ok() || answer->configurations.empty()) return std::optional<PlannedConfiguration>();
  PlannedConfiguration& best = answer.value().configurations.front();
  const double found = best.estimate.tokensPerSecond;
  if (!definitelyLess(tokensPerSecond, found, kDisplayTolerance)) return std::optional<PlannedConfiguration>();
  return std::optional(std::move(best));
}

}  // namespace

std::string WhatIfPoint::fasterText() const {
  std::string text;
  for (const FasterNearby& each : faster) {
    const double gain = each.planned.estimate.tokensPerSecond / best->estimate.tokensPerSecond - 1;
    const std::string step = formatSeconds(each.planned.estimate.seconds) + " a step, ";
    text += text.empty() ? "" : "; ";
    if (each.idle > 0) {
      text += std::to_string(each.nodes) + " of " + countedText(each.nodes + each.idle, node) + " take " + step +
              "with " + std::to_string(each.idle) + " idle";
    } else {
      text += "a batch of " + std::to_string(each.batch) + " takes " + step + formatPercent(gain) +
              " more tokens per second";
    }
  }
  return text;
}

Result<void> findFasterNearby(WhatIfPoint& point, const TrainingQuestion& question, std::stop_token stop) {
  if (!point.best) return {};
  P2_TRY_ASSIGN(const auto whole, changedQuestion(question, point.change));
  const auto batch = dividingBatch(whole);
  if (!batch) return {};
  const std::int64_t allNodes = nodeCount(whole.system);
  double tokensPerSecond = point.best->estimate.tokensPerSecond;
  WhatIfChange rest = point.change;
  rest.down.clear();
  std::optional<FasterNearby> fewer;
  for (const std::int64_t nodes : evenNumbersBelow(allNodes)) {
    rest.nodes = nodes;
    auto changed = changedQuestion(question, rest);
    if (!changed.ok()) continue;
    P2_TRY_ASSIGN(auto best, fasterBest(std::move(changed).value(), tokensPerSecond, stop));
    if (!best) continue;
    tokensPerSecond = best->estimate.tokensPerSecond;
    fewer = FasterNearby{nodes, allNodes - nodes, whole.batch, std::move(*best)};
  }
  if (fewer) point.faster.push_back(std::move(*fewer));
  TrainingQuestion divided = whole;
  divided.batch = *batch;
  P2_TRY_ASSIGN(auto best, fasterBest(std::move(divided), point.best->estimate.tokensPerSecond, stop));
  if (best) point.faster.push_back({allNodes, 0, *batch, std::move(*best)});
  return {};
}

}  // namespace p2::inline whatif
