// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/one_sided_runs.h"

#include <algorithm>
#include <vector>

#include "training/training_runs.h"

namespace p2::inline training_answer {
namespace {

constexpr std::size_t kLeastRuns = 3;

bool isSameModel(const ModelShape& a, const ModelShape& b) {
  return a.layers == b.layers && a.hidden == b.hidden && a.experts == b.experts && a.ffn == b.ffn;
}

OneSidedRuns oneSidedOf(const std::vector<const TrainingRun*>& runs) {
  OneSidedRuns found;
  std::size_t longer = 0;
  std::size_t shorter = 0;
  for (const TrainingRun* run : runs) {
    const auto estimate = estimateRun(*run);
    if (!estimate.ok()) continue;
    longer += run->seconds > estimate->high ? 1 : 0;
    shorter += run->seconds < estimate->low ? 1 : 0;
    const double ratio = run->seconds / estimate->seconds;
    found.least = found.runs == 0 ? ratio : std::min(found.least, ratio);
    found.most = std::max(found.runs == 0 ? ratio : found.most, ratio);
    ++found.runs;
  }
  const bool oneSided = found.runs >= kLeastRuns && (longer == found.runs || shorter == found.runs);
  return oneSided ? found : OneSidedRuns();
}

}  // namespace

OneSidedRuns oneSidedRunsOf(const TrainingQuestion& question) {
  const auto accelerator = trainingAcceleratorOf(question.system);
  std::vector<const TrainingRun*> all;
  std::vector<const TrainingRun*> here;
  for (const std::vector<TrainingRun>* runs : {&trainingRuns(), &unseenRuns()}) {
    for (const TrainingRun& run : *runs) {
      if (run.seconds <= 0 || !isSameModel(run.model, question.model)) continue;
      all.push_back(&run);
      if (accelerator.ok() && run.accelerator.generation == accelerator->generation) here.push_back(&run);
    }
  }
  return oneSidedOf(here.size() >= kLeastRuns ? here : all);
}

}  // namespace p2::inline training_answer
