// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline.h"

#include <algorithm>
#include <tuple>

#include "base/units.h"

namespace p2::inline timeline {

std::pair<std::size_t, std::size_t> Timeline::rangeOf(std::uint32_t track) const {
  const auto [first, last] =
      std::equal_range(slices.begin(), slices.end(), TimelineSlice{track},
                       [](const TimelineSlice& a, const TimelineSlice& b) { return a.track < b.track; });
  return {static_cast<std::size_t>(first - slices.begin()), static_cast<std::size_t>(last - slices.begin())};
}

int Timeline::depthOf(std::uint32_t track) const {
  int depth = 0;
  const auto [first, last] = rangeOf(track);
  for (std::size_t i = first; i < last; ++i) depth = std::max(depth, int{slices[i].depth});
  return depth + 1;
}

std::uint32_t TimelineBuilder::track(std::string process, std::string name) {
  m_timeline.tracks.push_back({std::move(process), std::move(name)});
  return static_cast<std::uint32_t>(m_timeline.tracks.size() - 1);
}

std::uint32_t TimelineBuilder::detail(const SliceDetail& detail) {
  const auto place = std::lower_bound(
      m_byDetail.begin(), m_byDetail.end(), detail,
      [this](std::uint32_t number, const SliceDetail& wanted) { return m_timeline.details[number] < wanted; });
  if (place != m_byDetail.end() && m_timeline.details[*place] == detail) return *place;
  const auto number = static_cast<std::uint32_t>(m_timeline.details.size());
  m_timeline.details.push_back(detail);
  m_byDetail.insert(place, number);
  return number;
}

Timeline TimelineBuilder::take() {
  auto& slices = m_timeline.slices;
  std::sort(slices.begin(), slices.end(), [](const TimelineSlice& a, const TimelineSlice& b) {
    return std::tie(a.track, a.start, a.depth, b.seconds) < std::tie(b.track, b.start, b.depth, a.seconds);
  });
  m_timeline.seconds = 0;
  for (const TimelineSlice& slice : slices) m_timeline.seconds = std::max(m_timeline.seconds, slice.end());
  m_byDetail.clear();
  return std::exchange(m_timeline, {});
}

std::string describe(const Timeline& timeline, const TimelineSlice& slice) {
  const SliceDetail& detail = timeline.detailOf(slice);
  std::string text = detail.name + ", " + formatSeconds(slice.seconds);
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += ", " + part;
  };
  if (slice.number >= 0) add("microbatch " + std::to_string(slice.number));
  if (detail.bytes > 0) add(formatBytes(Bytes(detail.bytes)));
  add(detail.group);
  add(detail.link);
  add(detail.note);
  return text;
}

}  // namespace p2::inline timeline
