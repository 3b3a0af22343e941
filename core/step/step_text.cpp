// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "cost/cost_model.h"
#include "step/step_ranking.h"

namespace p2::inline step {

std::optional<std::string> otherDegrees(const StepQuestion& question) {
  std::string text;
  for (const Axis& of : question.workload.axes) {
    const auto asked = std::find_if(question.axes.begin(), question.axes.end(),
                                    [&](const Axis& axis) { return axis.name == of.name; });
    if (asked == question.axes.end() || asked->size == of.size) continue;
    text += (text.empty() ? "" : ", ") + of.name + " " + std::to_string(of.size);
  }
  if (text.empty()) return std::nullopt;
  return "the effect of other degrees on bytes: they are for " + text +
         ", as in the workload, although a smaller axis leaves more of the model on each device; p2 workload computes "
         "them again (--tp, --dp and others)";
}

std::vector<std::string> unmodelledEffectsOf(const StepRanking& ranking) {
  const StepQuestion& question = ranking.question;
  std::vector<std::string> sentences;
  if (auto degrees = otherDegrees(question)) sentences.push_back(std::move(*degrees));
  if (question.step.concurrent.value_or(question.workload.concurrent)) {
    sentences.emplace_back(
        "the order of communications that may run at once: they share their links as in the best order, so the times "
        "of "
        "steps are lower bounds");
  } else {
    sentences.emplace_back(
        "contention: communications over different axes are priced one after the other, each as if it were alone on "
        "its links");
  }
  sentences.emplace_back(
      "memory, imbalance between devices, and what pipelines wait for (their bubble does not depend "
      "on the placement)");
  const std::string_view caveat = modelOf(question.options.cost).rankingCaveat();
  if (!caveat.empty()) sentences.emplace_back(caveat);
  std::set<Algorithm> chosen;
  for (const StepRanking::Column& column : ranking.columns) {
    for (const auto& cost : column.costs) chosen.insert(cost->algorithms.begin(), cost->algorithms.end());
  }
  const std::string model = unmodelledEffectsOf(question.options.cost, chosen, question.system);
  if (!model.empty()) sentences.push_back(model);
  return sentences;
}

}  // namespace p2::inline step
