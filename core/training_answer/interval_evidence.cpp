// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/interval_evidence.h"

#include <cmath>

#include "base/counted.h"
#include "base/units.h"

namespace p2::inline training_answer {
namespace {

/// Share of runs that an interval is made to hold; tst_training_runs measures it.
constexpr double kShare = 0.8;
constexpr double kDeviations = 2;

}  // namespace

std::string describeInterval() {
  return "80 % interval: holds at least four of five published runs over all machines, with constants fitted "
         "without their publisher";
}

std::string describeWiderInterval(const ModelShape& model, const TrainingConfiguration& configuration) {
  if (!startsDispatchFromHost(model, configuration)) return {};
  return "The interval is wider where the host starts the dispatch of tokens to experts (AllToAll, or overlapped "
         "without a CUDA graph of the whole step): published runs outside it nearly all took longer than predicted, "
         "some more "
         "than twice as long";
}

std::string describeIntervalFor(std::int64_t inside, std::int64_t runs) {
  const std::string all = describeInterval() + ". ";
  if (runs == 0) return all + "No published run is like this one.";
  const auto count = static_cast<double>(runs);
  const double share = static_cast<double>(inside) / count;
  const double chance = kDeviations * std::sqrt(kShare * (1 - kShare) / count);
  const std::string here = "Of " + countedText(runs, "run") + " like this one it holds " + formatPercent(share);
  if (share < kShare - chance) return all + here + ", so expect larger errors here than it says.";
  if (share > kShare + chance) return all + here + ", so it is wider than needed here.";
  return all + here + ", which is consistent with that.";
}

}  // namespace p2::inline training_answer
