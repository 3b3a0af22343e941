// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "base/counted.h"
#include "collective/collective_traits.h"
#include "timeline/plan_timeline.h"
#include "timeline/step_timeline.h"

namespace p2::inline timeline {
namespace {

/// The collective whose traffic a kind of communication has: only sends and routed tokens have none of their name.
std::optional<Collective> collectiveLike(CommunicationKind kind) {
  if (kind == CommunicationKind::Shift) return std::nullopt;
  if (kind == CommunicationKind::Dispatch) return Collective::AllToAll;
  for (const Collective collective : kCollectives) {
    if (nameOf(collective) == nameOf(kind)) return collective;
  }
  return std::nullopt;
}

/// Bus bandwidth of a collective as nccl-tests defines it, in GB/s.
double busRate(const StepCollective& each) {
  const auto collective = collectiveLike(each.entry.kind);
  const double factor = collective ? flowFactor(*collective, traitsOf(*collective).shape, each.members) : 1;
  return factor * static_cast<double>(each.entry.bytes) / each.seconds / 1e9;
}

/// The first collective of each axis: the one with most time in a step.
std::map<SliceKind, const StepCollective*> mainCollectives(const std::vector<StepCollective>& collectives) {
  std::map<SliceKind, const StepCollective*> mains;
  for (const StepCollective& each : collectives) {
    if (each.seconds > 0 && !each.link.empty()) mains.try_emplace(sliceKindOf(each.axis), &each);
  }
  return mains;
}

/// From `start` on `value`, from its end on 0. Neighbours in time are joined.
void addSpan(std::vector<TimelineCounter::Point>& points, double start, double end, double value) {
  constexpr double kSameTime = 1e-12;  // seconds
  if (!points.empty() && points.back().time > start - kSameTime) {
    points.pop_back();
  } else {
    points.push_back({start, value});
  }
  points.push_back({end, 0});
}

TimelineCounter memoryCounter(const MemoryCurve& memory) {
  TimelineCounter counter{"memory of stage " + std::to_string(memory.peak.stage), "GB", {}};
  for (const MemoryCurve::Point& point : memory.points) {
    counter.points.push_back({point.time, memory.totalAt(point) / 1e9});
  }
  return counter;
}

/// Of too many counters the first, which is the memory's, and the loads with the highest peaks.
void keepBusiest(std::vector<TimelineCounter>& counters, std::vector<std::string>& notes) {
  if (counters.size() <= kMostLinkCounters) return;
  const auto peakOf = [](const TimelineCounter& counter) {
    return std::ranges::max(counter.points, {}, &TimelineCounter::Point::value).value;
  };
  std::stable_sort(counters.begin() + 1, counters.end(),
                   [&](const TimelineCounter& a, const TimelineCounter& b) { return peakOf(a) > peakOf(b); });
  notes.emplace_back("loads of the busiest " + std::to_string(kMostLinkCounters - 1) + " of " +
                     countedText(counters.size() - 1, "link") + " are shown");
  counters.resize(kMostLinkCounters);
}

}  // namespace

void addCounters(StepStudy& study) {
  const auto mains = mainCollectives(study.collectives);
  std::vector<TimelineCounter> counters{memoryCounter(study.memory)};
  for (std::uint32_t track = 0; track < study.timeline.tracks.size(); ++track) {
    std::map<SliceKind, TimelineCounter> loads;
    const auto [first, last] = study.timeline.rangeOf(track);
    for (std::size_t i = first; i < last; ++i) {
      const TimelineSlice& slice = study.timeline.slices[i];
      const auto main = mains.find(study.timeline.detailOf(slice).kind);
      if (main == mains.end()) continue;
      TimelineCounter& load = loads[main->first];
      load.name =
          "stage " + std::to_string(track) + ", " + std::string(nameOf(main->first)) + ": " + main->second->link;
      load.unit = "GB/s";
      addSpan(load.points, slice.start, slice.end(), busRate(*main->second));
    }
    for (auto& [kind, load] : loads) counters.push_back(std::move(load));
  }
  keepBusiest(counters, study.timeline.notes);
  study.timeline.counters = std::move(counters);
  study.timeline.notes.emplace_back(
      "loads of links are of exposed communication, as bus bandwidth of each axis's main collective");
}

}  // namespace p2::inline timeline
