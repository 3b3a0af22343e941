// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "base/median.h"
#include "base/units.h"
#include "timeline/run_timeline.h"

namespace p2::inline timeline {
namespace {

using Key = std::tuple<std::string, double, std::int64_t, std::string>;
/// Ranks of one collective, each once, in the order of the traces.
using SecondsByRank = std::vector<std::pair<std::int64_t, double>>;
/// A run is the number of a collective.
using Runs = std::map<std::int64_t, SecondsByRank>;

/// SendRecv kernels of NCCL carry out several collectives.
std::string kindName(const RunSlice& slice) {
  if (slice.kind) return std::string(nameOf(*slice.kind));
  constexpr const char* kSendRecv = "SendRecv";
  return slice.name.find(kSendRecv) != std::string::npos ? kSendRecv : slice.name;
}

/// Complete runs if one run in ten is complete, else all runs: a missing rank could be the late one. Lives as long as
/// `runs`.
std::vector<const SecondsByRank*> countedRuns(const Runs& runs, std::int64_t ranks) {
  std::vector<const SecondsByRank*> all;
  std::vector<const SecondsByRank*> whole;
  for (const auto& [number, run] : runs) {
    all.push_back(&run);
    if (static_cast<std::int64_t>(run.size()) == ranks) whole.push_back(&run);
  }
  constexpr std::size_t kEnough = 10;  // one in as many
  return whole.size() * kEnough >= all.size() ? whole : all;
}

void measure(MeasuredCollective& made, const Runs& runs) {
  for (const auto& [number, run] : runs) made.ranks = std::max(made.ranks, static_cast<std::int64_t>(run.size()));
  std::vector<double> transfers;
  std::map<std::int64_t, std::int64_t> last;
  double waits = 0;
  std::int64_t shared = 0;
  for (const SecondsByRank* counted : countedRuns(runs, made.ranks)) {
    const SecondsByRank& run = *counted;
    const auto least =
        std::min_element(run.begin(), run.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    transfers.push_back(least->second);
    if (run.size() < 2) continue;
    ++shared;
    ++last[least->first];
    const double sum = std::accumulate(run.begin(), run.end(), 0.0,
                                       [](double total, const auto& each) { return total + each.second; });
    waits += (sum - static_cast<double>(run.size()) * least->second) / static_cast<double>(run.size() - 1);
  }
  made.runs = static_cast<std::int64_t>(runs.size());
  made.transfer = medianOf(transfers);
  if (shared == 0) return;
  made.wait = waits / static_cast<double>(shared);
  const auto most =
      std::max_element(last.begin(), last.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  made.lateShare = static_cast<double>(most->second) / static_cast<double>(shared);
  constexpr double kMost = 0.6;
  if (made.lateShare >= kMost) made.late = most->first;
}

/// Bytes of the full tensor of a plan's step.
double bytesOf(const Plan& plan, const PlanStep& step) {
  const PlanGroup& group = step.groups.front();
  const bool gathers = step.collective == Collective::AllGather;
  const auto& held = gathers ? group.heldAfter(0) : group.heldBefore(0);
  return static_cast<double>(plan.cut().bytesOf(countOf(held)));
}

}  // namespace

std::vector<MeasuredCollective> collectivesOf(const std::vector<RunTrace>& traces) {
  std::map<Key, Runs> all;
  std::map<Key, std::optional<CommunicationKind>> kinds;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const std::int64_t rank = traces[i].rank >= 0 ? traces[i].rank : static_cast<std::int64_t>(i);
    std::map<Key, std::int64_t> seen;
    for (const RunSlice& slice : traces[i].slices) {
      if (!slice.communicates) continue;
      const Key key{kindName(slice), slice.bytes, slice.members, slice.group};
      const std::int64_t next = seen[key]++;
      SecondsByRank& run = all[key][slice.number >= 0 ? slice.number : next];
      if (run.empty() || run.back().first != rank) run.emplace_back(rank, slice.seconds);
      kinds[key] = slice.kind;
    }
  }
  std::vector<MeasuredCollective> measured;
  for (const auto& [key, runs] : all) {
    MeasuredCollective made;
    std::tie(made.name, made.bytes, made.members, made.group) = key;
    made.kind = kinds[key];
    measure(made, runs);
    measured.push_back(std::move(made));
  }
  std::stable_sort(measured.begin(), measured.end(), [](const MeasuredCollective& a, const MeasuredCollective& b) {
    const auto sum = [](const MeasuredCollective& each) {
      return (each.transfer + each.wait) * static_cast<double>(each.runs);
    };
    return sum(a) > sum(b);
  });
  return measured;
}

void addPredictions(std::vector<MeasuredCollective>& measured, const Plan& plan) {
  const double repeat = std::max(1, plan.workspace().options.cost.repeat);
  const auto stepsOfKind = [&](CommunicationKind kind) {
    return std::ranges::count_if(plan.steps(),
                                 [&](const PlanStep& step) { return nameOf(step.collective) == nameOf(kind); });
  };
  for (MeasuredCollective& each : measured) {
    // Of unknown size it could be any of several steps.
    if (each.bytes <= 0 && each.kind && stepsOfKind(*each.kind) > 1) continue;
    double closest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < plan.steps().size(); ++i) {
      const PlanStep& step = plan.steps()[i];
      if (!each.kind || nameOf(step.collective) != nameOf(*each.kind)) continue;
      const double bytes = bytesOf(plan, step);
      const double distance = each.bytes > 0 && bytes > 0 ? std::abs(std::log(each.bytes / bytes)) : 0;
      // Another size is another question.
      constexpr double kSameSize = 0.05;
      if (distance > kSameSize || distance >= closest) continue;
      closest = distance;
      each.predicted = plan.predicted().steps[i].seconds / repeat;
      each.link = plan.predicted().links[i];
    }
  }
}

RunVerdict verdictOf(const MeasuredCollective& measured) {
  const bool waits = measured.ranks > 1 && measured.wait > kWaitShare * measured.transfer;
  if (measured.predicted && measured.transfer > kSlowFactor * *measured.predicted) return RunVerdict::SlowLink;
  if (waits) return measured.late >= 0 ? RunVerdict::LateRank : RunVerdict::Scattered;
  if (!measured.predicted) return RunVerdict::Unknown;
  return measured.transfer * kSlowFactor < *measured.predicted ? RunVerdict::Faster : RunVerdict::AsPredicted;
}

std::string describeVerdict(const MeasuredCollective& measured) {
  const std::string late = "rank " + std::to_string(measured.late) + " is late in " +
                           formatPercent(measured.lateShare) + " of the runs; the others wait " +
                           formatSeconds(measured.wait) + " each";
  switch (verdictOf(measured)) {
    case RunVerdict::SlowLink: {
      std::string text = "slow link: no rank needs less than " + formatSeconds(measured.transfer) + ", " +
                         formatFactor(measured.transfer / *measured.predicted) + " the prediction";
      if (!measured.link.empty()) text += "; look at " + measured.link;
      const bool waits = measured.late >= 0 && measured.wait > kWaitShare * measured.transfer;
      return waits ? text + "; and " + late : text;
    }
    case RunVerdict::LateRank:
      return late;
    case RunVerdict::Scattered:
      return "ranks wait " + formatSeconds(measured.wait) + " each, for different ones";
    case RunVerdict::AsPredicted:
      return "as predicted";
    case RunVerdict::Faster:
      return "faster than predicted";
    case RunVerdict::Unknown:
      break;
  }
  return measured.ranks > 1 ? "no rank is late" : "one rank alone cannot tell waiting from transfer";
}

}  // namespace p2::inline timeline
