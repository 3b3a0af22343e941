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
    for (int d = 0; d < depth; ++d) m_rows.push_back({track, d, {}, {}});
    const auto [from, to] = m_timeline->rangeOf(track);
    for (std::size_t i = from; i < to; ++i) {
      m_rows[first + m_timeline->slices[i].depth].slices.push_back(static_cast<std::uint32_t>(i));
    }
  }
  for (TimelineRow& row : m_rows) {
    row.blocks.resize((row.slices.size() + kBlock - 1) / kBlock, ByKind{});
    for (std::size_t i = 0; i < row.slices.size(); ++i) {
      const TimelineSlice& each = slice(row.slices[i]);
      row.blocks[i / kBlock][std::size_t(m_timeline->detailOf(each).kind)] += float(each.seconds);
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

ByKind TimelineRows::secondsBetween(const TimelineRow& row, double from, double to) const {
  ByKind seconds{};
  std::size_t place = firstAfter(row, from);
  while (place < row.slices.size()) {
    const TimelineSlice& next = slice(row.slices[place]);
    if (next.start >= to) break;
    // Whole blocks are counted already.
    const std::size_t last = place + kBlock - 1;
    if (place % kBlock == 0 && last < row.slices.size() && next.start >= from && slice(row.slices[last]).end() <= to) {
      const ByKind& block = row.blocks[place / kBlock];
      for (std::size_t kind = 0; kind < seconds.size(); ++kind) seconds[kind] += block[kind];
      place += kBlock;
      continue;
    }
    const double shown = std::min(next.end(), to) - std::max(next.start, from);
    seconds[std::size_t(m_timeline->detailOf(next).kind)] += float(shown);
    ++place;
  }
  return seconds;
}

void TimelineRows::forEachRun(std::size_t row, double from, double to, int columns, double least,
                              const std::function<void(const Run&)>& visit) const {
  if (columns <= 0 || to <= from) return;
  const TimelineRow& shown = m_rows[row];
  const double scale = columns / (to - from);
  std::size_t place = firstAfter(shown, from);
  double column = 0;  // the first that has no run yet
  while (place < shown.slices.size()) {
    const TimelineSlice& next = slice(shown.slices[place]);
    const double left = (next.start - from) * scale;
    const double right = (next.end() - from) * scale;
    if (left >= columns) return;
    if (right - left >= least) {
      visit({shown.slices[place], std::max(0.0, left), std::min(double(columns), right), {}});
      ++place;
      continue;
    }
    column = std::max(column, std::floor(std::max(0.0, left)));
    if (column >= columns) return;
    // The end of a slice may be in a column that has its run.
    if (column < right) {
      Run run{std::nullopt, column, column + 1,
              secondsBetween(shown, from + column / scale, from + (column + 1) / scale)};
      for (float& share : run.shares) share *= float(scale);
      visit(run);
      column += 1;
    }
    place = std::max(right <= column ? place + 1 : place, firstAfter(shown, from + column / scale));
  }
}

}  // namespace p2::views
