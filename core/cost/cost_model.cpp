// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_model.h"

#include <cassert>
#include <cmath>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"
#include "cost/nccl_model.h"
#include "cost/paper_model.h"
#include "cost/prediction_ranges.h"
#include "system/system.h"

namespace p2 {

std::span<const CostModel* const> costModels() {
  static const PaperModel paper;
  static const NcclModel nccl;
  static const CostModel* const models[] = {&paper, &nccl};
  return models;
}

std::string knownCostModels() {
  std::string names;
  for (const CostModel* model : costModels()) names += (names.empty() ? "" : ", ") + std::string(model->name());
  return names;
}

Result<const CostModel*> costModelFrom(std::string_view name) {
  for (const CostModel* model : costModels()) {
    if (model->name() == name) return model;
  }
  return Error{"\"" + std::string(name) + "\" is not a cost model of this version, which has: " + knownCostModels()};
}

const PredictionRanges& CostModel::publicRanges() const {
  static const PredictionRanges none;
  return none;
}

std::string_view defaultModel(const System& system) {
  std::string_view name;
  for (const CostModel* model : costModels()) {
    if (model->isDefaultOf(system)) name = model->name();
  }
  return name;
}

Algorithm defaultAlgorithm(std::string_view model) {
  const auto found = costModelFrom(model);
  assert(found.ok());
  return (*found)->defaultAlgorithm();
}

std::vector<Algorithm> algorithmsOf(const CostModel& model) {
  std::set<Algorithm> known{Algorithm::Auto};
  for (const Collective collective : kCollectives) {
    const auto candidates = model.candidates(collective, Algorithm::Auto);
    known.insert(candidates.begin(), candidates.end());
    known.erase(Algorithm::Direct);
  }
  return {known.begin(), known.end()};
}

std::string choiceText(const StepCost& cost) {
  const std::string protocol(nameOf(cost.protocol));
  return std::string(nameOf(cost.algorithm)) + (protocol.empty() ? "" : ", " + protocol);
}

std::optional<SecondsRange> rangeOf(const StepCost& step) {
  if (step.highSeconds <= 0) return std::nullopt;
  return SecondsRange{step.lowSeconds, step.highSeconds};
}

std::optional<SecondsRange> rangeOf(std::span<const StepCost> steps) {
  SecondsRange sum;
  for (const StepCost& step : steps) {
    const auto range = rangeOf(step);
    if (!range) return std::nullopt;
    sum.low += range->low;
    sum.high += range->high;
  }
  return steps.empty() ? std::nullopt : std::optional(sum);
}

bool isOpenWhichIsFaster(std::span<const StepCost> one, std::span<const StepCost> other) {
  struct Share {
    double seconds = 0;  // of one, without those of the other
    double low = 1;
    double high = 1;
  };
  std::map<int, Share> shares;
  double gap = 0;
  for (const auto& [steps, sign] : {std::pair(one, 1.0), std::pair(other, -1.0)}) {
    for (const StepCost& step : steps) {
      if (!rangeOf(step) || step.errorClass < 0) return false;
      Share& share = shares[step.errorClass];
      share.seconds += sign * step.seconds;
      share.low = step.lowSeconds / step.seconds;
      share.high = step.highSeconds / step.seconds;
      gap += sign * step.seconds;
    }
  }
  double variance = 0;
  for (const auto& [cell, share] : shares) {
    // Towards the other's side: what makes the dearer list cheaper.
    const bool grows = (share.seconds < 0) == (gap > 0);
    const double error = share.seconds * (grows ? share.high - 1 : 1 - share.low);
    variance += error * error;
  }
  return gap * gap < variance;
}

std::string rangeText(double seconds, const std::optional<SecondsRange>& range) {
  std::string text = formatSeconds(seconds);
  if (!range) return text;
  return text + " (" + formatSecondsLike(seconds, range->low) + "–" + formatSecondsLike(seconds, range->high) + ")";
}

StepCost withRange(StepCost run, const Traffic& traffic, Bytes working, const PredictionRanges& ranges) {
  const auto kind = stepKind(traffic.collective);
  if (!kind || (ranges.mostNodes() > 0 && traffic.nodes > ranges.mostNodes())) return run;
  const RangeCell cell{*kind, traffic.nodes > 1, sizeBand(working)};
  const ErrorRange& range = ranges.of(cell);
  if (!range.isKnown()) return run;
  run.lowSeconds = run.seconds * range.low;
  run.highSeconds = run.seconds * range.high;
  run.errorClass = PredictionRanges::numberOf(cell);
  return run;
}

double gainOver(double singleSeconds, double seconds) {
  return seconds <= 0 || nearlyEqual(singleSeconds, seconds) ? 1 : singleSeconds / seconds;
}

void addAlgorithms(std::span<const StepCost> steps, std::set<Algorithm>& algorithms) {
  for (const StepCost& step : steps) algorithms.insert(step.algorithm);
}

std::string unmodelledEffectsOf(const CostOptions& options, const std::set<Algorithm>& chosen, const System& largest) {
  const CostModel& model = modelOf(options);
  std::string text(model.unmodelledEffects());
  for (const Algorithm algorithm : chosen) {
    if (model.isMeasured(algorithm)) continue;
    text += "; measurements of " + std::string(nameOf(algorithm)) + ", which is priced by its hops and links alone";
  }
  if (options.algorithm != Algorithm::Auto && !chosen.empty() && !chosen.contains(options.algorithm)) {
    text += "; " + std::string(nameOf(options.algorithm)) + ", which no step here can take, so that others are priced";
  }
  const std::int64_t most = model.measuredNodes();
  if (most > 0 && nodeCount(largest) > most && !largest.calibrated) {
    text += "; measurements of groups over more than " + countedText(most, "node") +
            ", whose times have no range, since none are public";
  }
  return text;
}

const CostModel& modelOf(const CostOptions& options) {
  const auto model = costModelFrom(options.model);
  assert(model.ok());
  return **model;
}

}  // namespace p2
