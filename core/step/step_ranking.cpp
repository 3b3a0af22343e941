// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/step_ranking.h"

#include <algorithm>
#include <limits>

#include "base/figures.h"
#include "base/lists.h"
#include "base/near.h"
#include "step/detail/link_sums.h"
#include "step/detail/step_assembly.h"

namespace p2::inline step {
namespace {

/// Busy seconds of a placement by interconnect, as if one link were the busiest for all entries.
struct Busy {
  std::vector<double> exposed;
  std::vector<double> overlappable;
};

double stepSecondsOf(const StepRanking& ranking, const PlacementStep& placement, const Busy& busy, bool linksCount) {
  const StepOptions& options = ranking.question.step;
  const double compute = options.computeSeconds.value_or(0);
  // Without a word on computation nothing is hidden behind it, and nothing slowed down by it.
  const double slowdown = options.computeSeconds ? options.slowdown.value_or(kDefaultSlowdown) : 1;
  const double overlappable = slowdown * placement.overlappableSeconds;
  const double usable = options.usableShare.value_or(kDefaultUsableShare) * compute;
  if (!options.concurrent.value_or(false))
    return compute + placement.exposedSeconds + std::max(0.0, overlappable - usable);
  const double seconds = std::max(compute + placement.exposedSeconds, compute - usable + overlappable);
  double most = 0;
  for (std::size_t link = 0; link < busy.exposed.size(); ++link) {
    most = std::max(most, busy.exposed[link] + slowdown * busy.overlappable[link]);
  }
  if (!linksCount || compute - usable + most <= seconds) return seconds;
  const auto sums = LinkSums::of(ranking, placement);
  return sums ? std::max(seconds, compute - usable + sums->mostSeconds(slowdown)) : seconds;
}

void addTo(std::vector<double>& sums, const std::vector<double>& values, double factor) {
  sums.resize(std::max(sums.size(), values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i] * factor;
}

/// Devices times entries, for adding up the links of one placement.
std::int64_t workOf(const StepRanking& ranking) {
  return ranking.topology->deviceCount() * std::max<std::int64_t>(std::ssize(ranking.entries()), 1);
}

PlacementStep stepOn(const StepRanking& ranking, const ParallelismMatrix& matrix, std::size_t number, bool linksCount) {
  PlacementStep placement;
  placement.matrix = matrix;
  placement.number = number;
  Busy busy;
  double longest = 0;
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const WorkloadEntry& entry = ranking.entries()[i];
    const EntryCost& cost = ranking.cost(placement, i);
    const auto count = static_cast<double>(entry.count);
    const double seconds = cost.seconds * count;
    const double hidden = overlappableSeconds(entry.overlap, seconds);
    placement.overlappableSeconds += hidden;
    placement.exposedSeconds += seconds - hidden;
    addTo(placement.linkBytes, cost.linkBytes, count);
    const double share = seconds > 0 ? hidden / seconds : 0;
    addTo(busy.exposed, cost.linkSeconds, count * (1 - share));
    addTo(busy.overlappable, cost.linkSeconds, count * share);
    if (cost.seconds <= longest) continue;
    longest = cost.seconds;
    placement.worstEntry = i;
  }
  placement.stepSeconds = stepSecondsOf(ranking, placement, busy, linksCount);
  return placement;
}

/// Replaces the bytes of the best placements by those that are added up link by link, as many as take little time; the
/// best one in any case.
void addUpLinkByLink(StepRanking& ranking, const std::stop_token& stop) {
  constexpr std::int64_t kMostWork = 500'000;  // devices times entries, some hundred milliseconds
  const std::int64_t each = workOf(ranking);
  std::int64_t work = 0;
  for (PlacementStep& placement : ranking.placements) {
    if (stop.stop_requested() || (work > 0 && work + each > kMostWork)) return;
    work += each;
    if (const auto sums = LinkSums::of(ranking, placement)) placement.linkBytes = sums->mostBytes();
  }
}

/// By step time, then by exposed communication, then in enumeration order.
void sortBest(std::vector<PlacementStep>& placements) {
  const auto byNumber = [](auto first, auto last) {
    std::sort(first, last, [](const PlacementStep& a, const PlacementStep& b) { return a.number < b.number; });
  };
  const auto byExposed = [&](auto first, auto last) {
    sortByCost(
        first, last, [](const PlacementStep& each) { return each.exposedSeconds; }, byNumber);
  };
  sortByCost(
      placements.begin(), placements.end(), [](const PlacementStep& each) { return each.stepSeconds; }, byExposed);
}

/// Marks the Pareto front of exposed and overlappable communication: placements with less overlappable communication
/// than all that have less exposed, and those equal to them in both.
void markParetoFront(std::vector<PlacementStep>& placements) {
  std::vector<PlacementStep*> sorted;
  for (PlacementStep& placement : placements) sorted.push_back(&placement);
  const auto overlappable = [](const PlacementStep* each) { return each->overlappableSeconds; };
  double least = std::numeric_limits<double>::infinity();
  const auto markTies = [&](auto first, auto last) {
    const double here = overlappable(*first);
    if (!definitelyLess(here, least)) return;
    for (auto each = first; each != last && !definitelyLess(here, overlappable(*each)); ++each) (*each)->front = true;
    least = here;
  };
  sortByCost(
      sorted.begin(), sorted.end(), [](const PlacementStep* each) { return each->exposedSeconds; },
      [&](auto first, auto last) {
        std::sort(first, last, [&](const auto* a, const auto* b) { return overlappable(a) < overlappable(b); });
        markTies(first, last);
      });
}

/// How many bytes go over each axis in a step, of collectives there and back twice: what decides which axis is the
/// busiest.
std::vector<double> trafficOfAxes(const StepQuestion& question) {
  std::vector<double> traffic(question.axes.size(), 0);
  for (const WorkloadEntry& entry : question.workload.collectives) {
    const double twice = entry.kind == CommunicationKind::AllReduce ? 2 : 1;
    const double bytes = twice * static_cast<double>(entry.bytes) * static_cast<double>(entry.count);
    for (std::size_t axis = 0; axis < traffic.size(); ++axis) {
      const auto& names = entry.axes;
      if (std::find(names.begin(), names.end(), question.axes[axis].name) != names.end()) traffic[axis] += bytes;
    }
  }
  return traffic;
}

void addOrders(StepRanking& ranking) {
  const StepQuestion& question = ranking.question;
  for (FrameworkOrder& order : frameworkOrders(question.system, question.axes, trafficOfAxes(question))) {
    RankedOrder ranked{std::move(order), {}, 0};
    if (!ranked.order.matrix.empty()) ranked.placement = ranking.find(ranked.order.matrix);
    if (ranked.placement) {
      PlacementStep& placement = ranking.placements[*ranked.placement];
      placement.orders.push_back(ranking.orders.size());
      const double best = ranking.placements[0].stepSeconds;
      ranked.timesBest = best > 0 ? placement.stepSeconds / best : 1;
    } else if (ranked.order.reason.empty()) {
      const auto kept = checkMatrix(question.system, question.axes, ranked.order.matrix);
      if (!kept.ok()) ranked.order.reason = kept.error().message;
    }
    ranking.orders.push_back(std::move(ranked));
  }
}

}  // namespace

StepQuestion stepQuestionOf(const Workspace& workspace, Workload shown) {
  StepQuestion question;
  question.system = workspace.system;
  question.axes = workspace.axes;
  for (Axis& axis : question.axes) axis.reduce = false;
  question.options = workspace.options;
  question.options.goal = kAllReduceGoal;
  question.options.cost.bytes = CostOptions{}.bytes;
  question.options.cost.repeat = 1;
  question.workload = std::move(shown);
  return question;
}

Result<void> checkStepOptions(const StepOptions& options) {
  if (options.computeSeconds && !kTimeRange.holds(*options.computeSeconds)) {
    return Error{"the seconds of computation are not a time; write " + std::string(kTimeRange.text),
                 "/compute_seconds"};
  }
  if (options.slowdown && !kSlowdownRange.holds(*options.slowdown)) {
    return Error{"communication overlapped with computation cannot take less time than alone; write " +
                     std::string(kSlowdownRange.text),
                 "/slowdown"};
  }
  if (options.usableShare && !(*options.usableShare >= 0 && *options.usableShare <= 1)) {
    return Error{"the usable share of the computation is not from 0 to 1", "/usable_share"};
  }
  return {};
}

Result<void> checkQuestion(const StepQuestion& question) {
  P2_TRY(checkStepOptions(question.step));
  Workload workload = question.workload;
  workload.axes = question.axes;
  // Axes that split nothing need not be there.
  for (const Axis& axis : question.workload.axes) {
    const auto isSame = [&](const Axis& other) { return other.name == axis.name; };
    const bool isMissing = std::none_of(question.axes.begin(), question.axes.end(), isSame);
    if (axis.size == 1 && isMissing) workload.axes.push_back(axis);
  }
  return checkWorkload(workload);
}

Result<std::shared_ptr<const StepRanking>> assembled(StepQuestion question, std::shared_ptr<const Topology> topology,
                                                     const std::vector<ParallelismMatrix>& matrices,
                                                     StepColumns columns, const std::stop_token& stop) {
  const auto ranking = std::make_shared<StepRanking>();
  ranking->question = std::move(question);
  ranking->topology = std::move(topology);
  ranking->columns = std::move(columns.columns);
  ranking->columnOf = std::move(columns.columnOf);
  // For all placements or for none, so that they compare.
  constexpr std::int64_t kMostWork = 5'000'000;  // some seconds
  const bool linksCount = workOf(*ranking) <= kMostWork / std::max<std::int64_t>(std::ssize(matrices), 1);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    if (stop.stop_requested()) return cancelledError();
    ranking->placements.push_back(stepOn(*ranking, matrices[i], i, linksCount));
  }
  sortBest(ranking->placements);
  addUpLinkByLink(*ranking, stop);
  if (stop.stop_requested()) return cancelledError();
  markParetoFront(ranking->placements);
  addOrders(*ranking);
  return std::shared_ptr<const StepRanking>(ranking);
}

double overlappableSeconds(const CommunicationOverlap& overlap, double seconds) {
  switch (overlap.extent) {
    case CommunicationOverlap::Extent::None:
      return 0;
    case CommunicationOverlap::Extent::Compute:
      return seconds;
    case CommunicationOverlap::Extent::Fraction:
      return overlap.value * seconds;
    case CommunicationOverlap::Extent::Window:
      return std::min(overlap.value, seconds);
  }
  return 0;
}

double StepRanking::share(const PlacementStep& placement, std::size_t entry) const {
  const double all = placement.exposedSeconds + placement.overlappableSeconds;
  return all > 0 ? seconds(placement, entry) / all : 0;
}

std::optional<std::size_t> StepRanking::find(const ParallelismMatrix& matrix) const {
  const auto found =
      std::find_if(placements.begin(), placements.end(), [&](const auto& each) { return each.matrix == matrix; });
  if (found == placements.end()) return std::nullopt;
  return static_cast<std::size_t>(found - placements.begin());
}

std::string_view stepTimeName(const StepQuestion& question) {
  return question.step.computeSeconds ? "step" : "communication per step";
}

std::string perStepText(const StepQuestion& question, double seconds) {
  return (question.step.concurrent.value_or(false) ? "at least " : "") + formatSeconds(seconds) +
         (question.step.computeSeconds ? " per step" : " of communication per step");
}

std::string spanText(const SynthesisHierarchy& hierarchy) {
  return joined(hierarchy.levels(), " · ",
                [](const SynthesisLevel& level) { return level.name + " " + std::to_string(level.size); });
}

}  // namespace p2::inline step
