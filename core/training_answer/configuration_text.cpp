// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/configuration_text.h"

#include "base/counted.h"
#include "training/parameter_gathering.h"

namespace p2::inline training_answer {
namespace {

std::string_view contextText(ContextCollective kind) {
  constexpr std::string_view kTexts[] = {"ring", "AllGather", "AllToAll", "AllToAll + ring"};
  return kTexts[static_cast<std::size_t>(kind)];
}

/// "4,812"
std::string groupedText(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::string describeExclusions(const TrainingAnswer& answer) {
  std::int64_t broken = 0;
  for (const auto& [rule, count] : answer.broken) broken += count;
  return "considered " + groupedText(answer.considered) + " · against the framework's rules " + groupedText(broken) +
         (answer.tooSlow > 0 ? " · too slow by a lower bound " + groupedText(answer.tooSlow) : std::string()) +
         " · too large " + groupedText(answer.tooLarge);
}

std::string trainingDegreesText(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  std::string text;
  const auto add = [&text](std::string_view name, std::int64_t degree) {
    if (degree > 1) text += std::string(name) + " " + std::to_string(degree);
    return degree > 1;
  };
  const auto end = [&text](bool added) { text += added ? " · " : ""; };
  const bool splitsTensors = add("tp", plan.tensor);
  if (splitsTensors && plan.sequenceParallel != SequenceParallelism::None)
    text += plan.tensorOverlap ? " sp overlapped" : " sp";
  end(splitsTensors);
  const bool splitsSequences = add("cp", plan.context);
  if (splitsSequences) text += " " + std::string(contextText(plan.contextCollective));
  end(splitsSequences);
  const bool hasStages = add("pp", plan.pipeline);
  if (hasStages && plan.chunks > 1) text += "×" + std::to_string(plan.chunks);
  end(hasStages);
  const bool splitsExperts = add("ep", plan.expert);
  if (splitsExperts && plan.expertOverlap) text += " overlapped";
  end(splitsExperts);
  end(add("etp", plan.expertTensor));
  text += "dp " + std::to_string(plan.data);
  if (plan.replicas > 1) text += " in " + countedText(plan.replicas, "replica");
  if (plan.zero > 0) text += " · ZeRO " + std::to_string(plan.zero);
  if (isGatheredOnce(plan)) text += " gathered once";
  return text;
}

}  // namespace p2::inline training_answer
