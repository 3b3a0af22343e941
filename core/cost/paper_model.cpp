// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/detail/paper_model.h"

#include <array>

#include "cost/calibration/library_calibration.h"
#include "cost/prediction_ranges.h"

namespace p2::inline cost {

std::span<const Algorithm> PaperModel::candidates(Collective collective, Algorithm wanted) const {
  static constexpr std::array kBoth{Algorithm::Ring, Algorithm::Tree};
  static constexpr std::array kDirect{Algorithm::Direct};
  const std::span<const Algorithm> both(kBoth);
  if (isDirect(traitsOf(collective).shape)) return kDirect;
  if (!traitsOf(collective).treeShape) return both.first(1);
  if (wanted == Algorithm::Auto) return both;
  return wanted == Algorithm::Tree ? both.last(1) : both.first(1);
}

FlowShape PaperModel::shape(Collective collective, Algorithm algorithm) const {
  const CollectiveTraits& traits = traitsOf(collective);
  return algorithm == Algorithm::Tree ? traits.treeShape.value_or(traits.shape) : traits.shape;
}

double PaperModel::factor(Collective collective, Algorithm algorithm, std::int64_t members) const {
  return flowFactor(collective, shape(collective, algorithm), members);
}

std::span<const double> PaperModel::caps(const LibraryView& machine, Algorithm algorithm) const {
  return algorithm == Algorithm::Tree ? machine.treeCaps : machine.ringCaps;
}

StepCost PaperModel::price(const Traffic& traffic, Bytes bytes) const {
  LinkLoad busiest;
  for (const LinkLoad& load : traffic.loads) {
    if (load.isBusierThan(busiest)) busiest = load;
  }
  for (const LinkLoad& load : traffic.own) {
    if (load.isBusierThan(busiest)) busiest = load;
  }
  const Bytes flow = bytes * traffic.factor;
  const double latency = traffic.hops.seconds();
  StepCost cost;
  cost.seconds = busiest.seconds() * flow.value() + latency;
  cost.link = busiest.link;
  cost.linkBytes = busiest.bytes * flow;
  cost.algorithm = traffic.algorithm;
  cost.latencySeconds = latency;
  if (!traffic.machine) return cost;
  const double share = traffic.flow / factor(traffic.collective, traffic.algorithm, traffic.members);
  return withRange(cost, traffic, bytes * share, traffic.machine->rangesOf(*this));
}

Result<Calibration> PaperModel::calibrated(const System& system, const std::vector<MeasuredTime>& measurements,
                                           HoldOut holdOut, int folds, std::stop_token stop,
                                           const Progress& progress) const {
  if (holdOut != HoldOut::Auto) {
    return Error{"under the paper model rows are held out; leave it out, or use --model nccl", "--hold-out"};
  }
  return calibrate(system, measurements, folds, std::move(stop), progress);
}

void PaperModel::addBusy(const Traffic& traffic, Bytes bytes, const StepCost& /*price*/,
                         std::vector<double>& busy) const {
  const double flow = bytes.value() * traffic.factor;
  for (const LinkLoad& load : traffic.loads) busy[load.interconnect] += load.seconds() * flow;
}

}  // namespace p2::inline cost
