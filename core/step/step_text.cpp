// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_model.h"
#include "step/step_ranking.h"

namespace p2 {

std::vector<std::string> leftOutOf(const StepQuestion& question) {
  std::vector<std::string> sentences;
  if (question.step.concurrent) {
    sentences.emplace_back(
        "what waits for what: communications that may run at once share their links as if any order of them could be "
        "had");
  } else {
    sentences.emplace_back(
        "contention: communications over different axes are priced one after the other, each as if it were alone on "
        "its links");
  }
  sentences.emplace_back(
      "memory, imbalance between devices, and what pipelines wait for (their bubble does not depend "
      "on the placement)");
  if (question.options.cost.model == "paper") {
    sentences.emplace_back(
        "rings over all NICs of a node: a ring over several devices of several nodes has one way out of each node, "
        "where libraries run one for every NIC");
  }
  const std::string_view model = modelOf(question.options.cost).leavesOut();
  if (!model.empty()) sentences.emplace_back(model);
  return sentences;
}

}  // namespace p2
