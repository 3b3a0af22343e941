// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_timeline.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

#include "base/counted.h"

namespace p2::inline timeline {
namespace {

/// The end of the first collective, or the first start if there is none.
double anchorOf(const RunTrace& trace) {
  for (const RunSlice& slice : trace.slices) {
    if (slice.communicates) return slice.start + slice.seconds;
  }
  return trace.slices.empty() ? 0 : trace.slices.front().start;
}

/// Seconds: records are in whole nanoseconds, sums of them are rounded.
constexpr double kClockError = 1e-12;

/// Tracks of one rank, as many of a sort as overlap. Slices come by start; each takes the first track that is free.
class RankTracks {
 public:
  RankTracks(TimelineBuilder& builder, std::string rank) : m_builder(builder), m_rank(std::move(rank)) {}

  /// Amortised O(log tracks).
  std::uint32_t trackFor(const RunSlice& slice, double start) {
    Lanes& lanes = m_lanes[{slice.device, slice.communicates}];
    for (; !lanes.busy.empty() && lanes.busy.top().first <= start + kClockError; lanes.busy.pop()) {
      lanes.free.push(lanes.busy.top().second);
    }
    if (lanes.free.empty()) {
      std::string name = m_rank + (slice.communicates ? " communication" : " computation");
      if (!lanes.busy.empty()) name += " " + std::to_string(lanes.busy.size() + 1);
      lanes.free.push(m_builder.track("measured", std::move(name)));
    }
    const std::uint32_t track = lanes.free.top();
    lanes.free.pop();
    lanes.busy.emplace(start + slice.seconds, track);
    return track;
  }

 private:
  template <class T>
  using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;
  struct Lanes {
    LeastFirst<std::pair<double, std::uint32_t>> busy;  ///< until when, and the track
    LeastFirst<std::uint32_t> free;
  };
  TimelineBuilder& m_builder;
  std::string m_rank;
  std::map<std::pair<std::int64_t, bool>, Lanes> m_lanes;
};

std::string nameOfRank(const RunTrace& trace, std::size_t number) {
  return "rank " + std::to_string(trace.rank >= 0 ? trace.rank : static_cast<std::int64_t>(number));
}

}  // namespace

Timeline runTimeline(const std::vector<RunTrace>& traces) {
  TimelineBuilder builder("measured run of " + countedText(traces.size(), "rank"));
  double earliest = 0;
  for (const RunTrace& trace : traces) {
    if (!trace.slices.empty()) earliest = std::min(earliest, trace.slices.front().start - anchorOf(trace));
  }
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const double shift = -anchorOf(traces[i]) - earliest;
    RankTracks tracks(builder, nameOfRank(traces[i], i));
    for (const RunSlice& slice : traces[i].slices) {
      const double start = std::max(0.0, slice.start + shift);
      const SliceKind kind = slice.communicates ? SliceKind::Collective : SliceKind::Computation;
      std::string group = slice.group;
      if (slice.members > 0) group += (group.empty() ? "" : ", ") + countedText(slice.members, "device");
      const std::uint32_t track = tracks.trackFor(slice, start);
      builder.slice(
          {track, builder.detail({kind, slice.name, slice.bytes, group, {}, {}}), 0, -1, start, slice.seconds});
    }
  }
  if (traces.size() > 1) builder.note("clocks of the ranks are aligned at the end of their first collectives");
  return builder.take();
}

}  // namespace p2::inline timeline
