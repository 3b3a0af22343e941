// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/plan_timeline.h"

#include <algorithm>

#include "base/counted.h"
#include "base/units.h"
#include "cost/flows/link_loads.h"

namespace p2::inline timeline {
namespace {

/// "0 8 16 24, 4 devices"; of long groups the first ones.
std::string groupText(const DeviceGroup& devices) {
  constexpr std::size_t kShown = 16;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, devices.size()); ++i) {
    text += (i > 0 ? " " : "") + std::to_string(devices[i].value());
  }
  return text + (devices.size() > kShown ? " …" : "") + ", " + countedText(devices.size(), "device");
}

/// When a step runs, in one run of the program.
struct StepTime {
  double start = 0;
  double seconds = 0;
};

std::vector<StepTime> timesOf(const Plan& plan) {
  const double runs = std::max(1, plan.workspace().options.cost.repeat);
  std::vector<StepTime> times;
  double start = 0;
  for (const StepCost& cost : plan.predicted().steps) {
    times.push_back({start, cost.seconds / runs});
    start += cost.seconds / runs;
  }
  return times;
}

void addSlices(TimelineBuilder& builder, const Plan& plan, const std::vector<StepTime>& times) {
  for (std::size_t i = 0; i < plan.steps().size(); ++i) {
    const PlanStep& step = plan.steps()[i];
    const StepCost& cost = plan.predicted().steps[i];
    for (const PlanGroup& group : step.groups) {
      SliceDetail detail{SliceKind::Collective,
                         std::string(nameOf(step.collective)),
                         0,
                         groupText(group.devices),
                         plan.predicted().links[i],
                         "step " + std::to_string(i + 1) + ", " + choiceText(cost)};
      for (std::size_t member = 0; member < group.devices.size(); ++member) {
        detail.bytes = static_cast<double>(plan.cut().bytesOf(countOf(group.heldBefore(member))));
        builder.slice({static_cast<std::uint32_t>(group.devices[member].value()), builder.detail(detail), 0, -1,
                       times[i].start, times[i].seconds});
      }
    }
  }
}

/// Loads of the links by step; only links with the longest busy time over all steps.
Result<void> addCounters(TimelineBuilder& builder, const Plan& plan, const std::vector<StepTime>& times,
                         const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto system, validated(plan.workspace().system));
  const Topology topology(system);
  std::vector<LinkLoads> loads;
  LinkLoads sum(topology);
  for (const PlanStep& step : plan.steps()) {
    LoweredStep lowered{step.collective, {}};
    for (const PlanGroup& group : step.groups) lowered.groups.push_back(sharesOf(group, plan.cut().chunks));
    loads.push_back(linkLoads(topology, lowered, plan.workspace().options.cost, stop));
    if (stop.stop_requested()) return cancelledError();
    sum.add(loads.back());
  }
  std::vector<std::pair<double, LinkId>> busy;
  for (const LinkId link : topology.links()) {
    if (sum.bytes(link) > Bytes(0)) busy.emplace_back(-sum.seconds(link), link);
  }
  std::sort(busy.begin(), busy.end());
  if (busy.size() > kMostLinkCounters) {
    builder.note("loads of the busiest " + std::to_string(kMostLinkCounters) + " of " +
                 countedText(busy.size(), "link") + " are shown");
    busy.resize(kMostLinkCounters);
  }
  for (const auto& [seconds, link] : busy) {
    TimelineCounter counter{topology.linkName(link), "GB/s", {}};
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const double rate = times[i].seconds > 0 ? loads[i].bytes(link).value() / times[i].seconds / 1e9 : 0;
      counter.points.push_back({times[i].start, rate});
    }
    counter.points.push_back({times.back().start + times.back().seconds, 0});
    builder.counter(std::move(counter));
  }
  return {};
}

}  // namespace

Result<Timeline> planTimeline(const Plan& plan, const std::stop_token& stop) {
  if (plan.deviceCount() > kMostTimelineDevices) {
    return Error{"a timeline has a track for each of at most " + std::to_string(kMostTimelineDevices) +
                     " ranks, and this plan has " + std::to_string(plan.deviceCount()) +
                     "; csv lists the groups of any plan",
                 {},
                 ErrorKind::TooLarge};
  }
  const Workspace& workspace = plan.workspace();
  TimelineBuilder builder(workspace.program + " on " + describe(workspace.system));
  for (std::int64_t rank = 0; rank < plan.deviceCount(); ++rank) {
    std::ignore = builder.track("predicted", "rank " + std::to_string(rank));
  }
  const std::vector<StepTime> times = timesOf(plan);
  addSlices(builder, plan, times);
  if (!times.empty()) P2_TRY(addCounters(builder, plan, times, stop));
  builder.note("one run of " + formatBytes(workspace.options.cost.bytes) + " on each device, predicted by the " +
               workspace.options.cost.model + " model");
  return builder.take();
}

}  // namespace p2::inline timeline
