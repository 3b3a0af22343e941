// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_model.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"
#include "cost/detail/paper_model.h"
#include "cost/detail/torus_model.h"
#include "cost/nccl/detail/nccl_model.h"
#include "cost/prediction_ranges.h"
#include "system/interconnects.h"
#include "system/system.h"

namespace p2::inline cost {

std::span<const CostModel* const> costModels() {
  static const PaperModel paper;
  static const NcclModel nccl;
  static const TorusModel torus;
  static const CostModel* const models[] = {&paper, &nccl, &torus};
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
  }
  known.erase(Algorithm::Direct);
  if (model.candidates(Collective::AllReduce, Algorithm::Direct).front() == Algorithm::Direct)
    known.insert(Algorithm::Direct);
  return {known.begin(), known.end()};
}

std::string choiceText(const StepCost& cost) {
  const std::string protocol(nameOf(cost.protocol));
  return std::string(nameOf(cost.algorithm)) + (protocol.empty() ? "" : ", " + protocol);
}

namespace {

/// As the library's environment calls it.
std::string_view ncclNameOf(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::Tree:
      return "Tree";
    case Algorithm::Nvls:
      return "NVLS";
    case Algorithm::NvlsTree:
      return "NVLSTree";
    case Algorithm::Pat:
      return "PAT";
    case Algorithm::CollNet:
      return "CollnetChain";
    case Algorithm::Ring:
    case Algorithm::Direct:
    case Algorithm::Auto:
      break;
  }
  return "Ring";
}

}  // namespace

bool isFasterWorthSaying(const StepCost& cost) {
  constexpr double kWorthSaying = 1.05;
  return cost.fasterSeconds > 0 && cost.seconds >= kWorthSaying * cost.fasterSeconds;
}

std::string fasterChoiceText(const StepCost& cost) {
  if (!isFasterWorthSaying(cost)) return {};
  StepCost faster;
  faster.algorithm = cost.fasterAlgorithm;
  faster.protocol = cost.fasterProtocol;
  std::string text = "NCCL would choose " + choiceText(cost) + "; " + choiceText(faster) + " is " +
                     formatFactor(cost.seconds / cost.fasterSeconds) + " faster:";
  if (faster.algorithm != cost.algorithm) text += " NCCL_ALGO=" + std::string(ncclNameOf(faster.algorithm));
  if (faster.protocol != cost.protocol) text += " NCCL_PROTO=" + std::string(nameOf(faster.protocol));
  return text;
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
    double seconds = 0;  // of one, without the other's
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
    // Towards the other's side: errors that make the more expensive list cheaper.
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
  // Without latencies between nodes small messages are too fast by any factor, and no interval holds.
  const bool hasLatencies =
      traffic.nodes == 1 || traffic.path.slowest > 0 || (traffic.machine && traffic.machine->hop > 0);
  if (!kind || !hasLatencies) return run;
  const RangeCell cell{*kind, traffic.nodes > 1, sizeBand(working)};
  const NetworkKind network = traffic.machine ? traffic.machine->network : NetworkKind::Other;
  const ErrorRange range = ranges.at(cell, network, {traffic.nodes, traffic.members}, working);
  if (!range.isKnown()) return run;
  run.lowSeconds = run.seconds * range.low;
  run.highSeconds = run.seconds * range.high;
  run.errorClass = PredictionRanges::numberOf(cell);
  return run;
}

double gainOver(double singleSeconds, double seconds) {
  return seconds <= 0 || nearlyEqual(singleSeconds, seconds) ? 1 : singleSeconds / seconds;
}

void RunChoice::consider(const StepCost& run) {
  if (m_count < m_runs.size() && run.seconds < std::numeric_limits<double>::infinity()) m_runs[m_count++] = run;
}

StepCost RunChoice::chosen() const {
  StepCost best;
  best.seconds = std::numeric_limits<double>::infinity();
  const std::span<const StepCost> runs(m_runs.data(), m_count);
  const bool isChosen = std::any_of(runs.begin(), runs.end(), [](const StepCost& run) { return run.isLibrarysChoice; });
  const StepCost* fastest = nullptr;
  const auto leastOf = [](const StepCost& run) { return run.fasterSeconds > 0 ? run.fasterSeconds : run.seconds; };
  for (const StepCost& run : runs) {
    if (run.isLibrarysChoice == isChosen && definitelyLess(run.seconds, best.seconds)) best = run;
    if (fastest == nullptr || definitelyLess(leastOf(run), leastOf(*fastest))) fastest = &run;
  }
  if (fastest == nullptr || fastest->algorithm == best.algorithm) return best;
  const bool isBestProtocol = fastest->fasterSeconds == 0;
  const double seconds = isBestProtocol ? fastest->seconds : fastest->fasterSeconds;
  if (!definitelyLess(seconds, best.fasterSeconds > 0 ? best.fasterSeconds : best.seconds)) return best;
  best.fasterSeconds = seconds;
  best.fasterAlgorithm = fastest->algorithm;
  best.fasterProtocol = isBestProtocol ? fastest->protocol : fastest->fasterProtocol;
  return best;
}

void addAlgorithms(std::span<const StepCost> steps, std::set<Algorithm>& algorithms) {
  for (const StepCost& step : steps) algorithms.insert(step.algorithm);
}

namespace {

/// The stand-ins for latencies that the system does not give, as the end of a list; empty where it gives all.
std::string missingLatenciesText(const System& system) {
  if (const auto published = publishedLatenciesOf(system)) {
    std::string text = "; the system's own latencies: ";
    if (published->across > 0) text += formatSeconds(published->across) + " between nodes, as of " + published->of;
    if (published->inside > 0)
      text += (published->across > 0 ? ", and " : "") + formatSeconds(published->inside) + " between devices of a node";
    return text + " are published of others";
  }
  const auto links = interconnects(system);
  const bool hasLatency = system.library.hop > 0 || std::any_of(links.begin(), links.end(), [&](const auto& each) {
                            return latencyOf(each.link, system.calibrated) > 0;
                          });
  if (hasLatency || nodeCount(system) < 2) return {};
  return "; latencies, which the system does not give: small messages take longer, and no interval is known";
}

}  // namespace

std::string unmodelledEffectsOf(const CostOptions& options, const std::set<Algorithm>& chosen, const System& largest) {
  const CostModel& model = modelOf(options);
  std::string text(model.unmodelledEffects());
  for (const Algorithm algorithm : chosen) {
    if (model.isMeasured(algorithm)) continue;
    text += "; measurements of " + std::string(nameOf(algorithm)) + ", which is priced by its hops and links alone";
  }
  if (options.algorithm == Algorithm::Direct && chosen.contains(Algorithm::Direct))
    text +=
        "; measurements of AllReduce, AllGather and ReduceScatter as direct, which are priced by NCCL's own figures "
        "(as rings where a step cannot take direct)";
  if (options.algorithm != Algorithm::Auto && !chosen.empty() && !chosen.contains(options.algorithm)) {
    text += "; " + std::string(nameOf(options.algorithm)) + ", which no step here can take, so that others are priced";
  }
  if (model.hasProtocols()) text += missingLatenciesText(largest);
  const std::int64_t most = model.measuredNodes();
  if (most > 0 && nodeCount(largest) > most && !largest.calibrated) {
    text += "; measurements of groups over more than " + countedText(most, "node") +
            ", whose ranges are extrapolated, since none are public";
  }
  return text;
}

const CostModel& modelOf(const CostOptions& options) {
  const auto model = costModelFrom(options.model);
  assert(model.ok());
  return **model;
}

}  // namespace p2::inline cost
