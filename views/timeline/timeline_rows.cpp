// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_rows.h"

#include <algorithm>
#include <cmath>

namespace p2::views {

TimelineRows::TimelineRows(std::shared_ptr<const p2::Timeline> timeline) : m_timeline(std::move(timeline)) {
  if (!m_timeline) return;
  for (std::uint32_t track = 0; track < m_timeline->tracks.size(); ++track) {
    const std::size_t first = m_rows.size();
    const int depth = m_timeline->depthOf(track);
    for (int d = 0; d < depth; ++d) m_rows.push_back({track, d, {}});
    const auto [from, to] = m_timeline->rangeOf(track);
    for (std::size_t i = from; i < to; ++i) {
      m_rows[first + m_timeline->slices[i].depth].slices.push_back(static_cast<std::uint32_t>(i));
    }
  }
  std::vector<bool> used(m_timeline->details.size(), false);
  for (const TimelineSlice& each : m_timeline->slices) used[each.detail] = true;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) m_kinds.insert(m_timeline->details[i].kind);
  }
}

std::size_t TimelineRows::firstAfter(const TimelineRow& row, double time) const {
  const auto found = std::partition_point(row.slices.begin(), row.slices.end(),
                                          [&](std::uint32_t number) { return slice(number).end() <= time; });
  return static_cast<std::size_t>(found - row.slices.begin());
}

std::optional<std::uint32_t> TimelineRows::at(std::size_t row, double time) const {
  const TimelineRow& wanted = m_rows[row];
  const std::size_t place = firstAfter(wanted, time);
  if (place == wanted.slices.size() || slice(wanted.slices[place]).start > time) return std::nullopt;
  return wanted.slices[place];
}

void TimelineRows::forEachRun(std::size_t row, double from, double to, int columns,
                              const std::function<void(const Run&)>& visit) const {
  if (columns <= 0 || to <= from) return;
  const TimelineRow& shown = m_rows[row];
  const double scale = columns / (to - from);
  std::size_t place = firstAfter(shown, from);
  while (place < shown.slices.size()) {
    const TimelineSlice& next = slice(shown.slices[place]);
    const double left = (next.start - from) * scale;
    const double right = (next.end() - from) * scale;
    if (left >= columns) return;
    if (right - left >= 1) {
      visit({shown.slices[place], std::max(0.0, left), std::min(double(columns), right)});
      ++place;
      continue;
    }
    const double column = std::floor(std::max(0.0, left));
    if (const auto middle = at(row, from + (column + 0.5) / scale)) {
      const TimelineSlice& seen = slice(*middle);
      if (seen.seconds * scale < 1) visit({*middle, column, column + 1});
    }
    place = std::max(place + 1, firstAfter(shown, from + (column + 1) / scale));
  }
}

}  // namespace p2::views
