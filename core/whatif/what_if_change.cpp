// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of a training's question: as text, and applied.
#include <algorithm>

#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"
#include "base/units.h"
#include "system/oversubscription.h"
#include "whatif/system_changes.h"
#include "whatif/what_if.h"

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
  } else if (quantity == "precision") {
    P2_TRY_ASSIGN(change.precision, productPrecisionFrom(value));
  } else if (quantity == "recompute") {
    P2_TRY_ASSIGN(change.recomputation, recomputeKindFrom(value));
  } else if (quantity == "reserve") {
    P2_TRY_ASSIGN(const Bytes reserve, parseBytes(value));
    change.reserve = reserve.value();
  } else if (quantity == "framework") {
    P2_TRY_ASSIGN(change.framework, trainingFrameworkFrom(value));
  } else {
    const std::string known = joined(kWhatIfQuantities);
    return Error{"\"" + quantity + "\" cannot be varied; use one of " + known};
  }
  return change;
}

/// Choices that another framework can make too; the others are its own.
FixedChoices degreesIn(const TrainingFramework& framework, const FixedChoices& choices) {
  const auto has = [](const auto& all, const auto& one) { return std::find(all.begin(), all.end(), one) != all.end(); };
  FixedChoices kept;
  kept.tensor = choices.tensor;
  kept.pipeline = choices.pipeline;
  kept.chunks = choices.chunks;
  kept.context = choices.context;
  kept.expert = choices.expert;
  kept.expertTensor = choices.expertTensor;
  kept.microbatch = choices.microbatch;
  if (choices.zero && has(framework.zeroStages, *choices.zero)) kept.zero = choices.zero;
  const auto& recomputation = choices.recomputation;
  if (recomputation && recomputation->modules.empty() && has(framework.recomputations, recomputation->kind)) {
    kept.recomputation = recomputation;
  }
  return kept;
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
  if (change.precision) add(std::string(nameOf(*change.precision)));
  if (change.recomputation) {
    const bool none = *change.recomputation == RecomputeKind::None;
    add((none ? "no" : std::string(nameOf(*change.recomputation))) + " recomputation");
  }
  if (change.reserve) add(formatBytes(Bytes(*change.reserve)) + " kept free");
  if (change.framework != nullptr) add(std::string(change.framework->label));
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
  if (second.precision) first.precision = second.precision;
  if (second.recomputation) first.recomputation = second.recomputation;
  if (second.reserve) first.reserve = second.reserve;
  if (second.framework != nullptr) first.framework = second.framework;
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
  if (change.precision) {
    next.precision = *change.precision;
    P2_TRY_ASSIGN(const auto accelerator, trainingAcceleratorOf(next.system));
    TrainingConfiguration wanted;
    wanted.precision = next.precision;
    if (runnableOn(wanted, accelerator).precision != next.precision) {
      return Error{next.system.accelerator.type + " has no products in " + std::string(nameOf(next.precision))};
    }
  }
  if (change.recomputation) next.fixed.recomputation = change.recomputation;
  if (change.framework != nullptr) {
    P2_TRY_ASSIGN(const auto accelerator, trainingAcceleratorOf(next.system));
    P2_TRY(checkPlatform(*change.framework, accelerator.platform));
    next.frameworks = {change.framework};
  }
  if (change.reserve) next.reserve = *change.reserve;
  if (change.batch) next.batch = *change.batch;
  if (change.sequence) {
    next.sequence = *change.sequence;
    P2_TRY(checkSequence(next.model, next.sequence));
  }
  return next;
}

Result<ChosenConfiguration> changedChoice(ChosenConfiguration chosen, const WhatIfChange& change) {
  const bool isOther = change.framework != nullptr && change.framework->name != chosen.framework;
  if (!change.recomputation && !change.precision && !isOther) return chosen;
  P2_TRY_ASSIGN(auto choices, fixedChoicesFrom(chosen.choices));
  if (isOther) {
    choices = degreesIn(*change.framework, choices);
    chosen.framework = change.framework->name;
    chosen.order.clear();
  }
  if (change.recomputation) choices.recomputation = change.recomputation;
  // Only fp8 has parameters in fp8; another precision takes the framework's default.
  if (change.precision) choices.fp8Parameters.reset();
  chosen.choices = fixedChoicesText(choices);
  return chosen;
}

}  // namespace p2::inline whatif
