// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "timeline/timeline.h"

namespace p2::views {

/// The slices of one depth of a track; they do not overlap.
struct TimelineRow {
  std::uint32_t track = 0;
  int depth = 0;
  std::vector<std::uint32_t> slices;  ///< numbers in Timeline::slices, by time
};

/// A timeline cut into rows, for drawings that look at a part of it. Independent of widgets and pixels.
class TimelineRows {
 public:
  TimelineRows() = default;
  explicit TimelineRows(std::shared_ptr<const p2::Timeline> timeline);

  [[nodiscard]] const p2::Timeline* timeline() const { return m_timeline.get(); }
  [[nodiscard]] const std::vector<TimelineRow>& rows() const { return m_rows; }
  /// Kinds that occur, in the order of legends.
  [[nodiscard]] const std::set<SliceKind>& kinds() const { return m_kinds; }

  /// The slice of a row at a time. O(log slices).
  [[nodiscard]] std::optional<std::uint32_t> at(std::size_t row, double time) const;

  /// A run of pixel columns that show the same slice.
  struct Run {
    std::uint32_t slice = 0;
    double from = 0;  ///< pixels from the left of the window
    double to = 0;
  };
  /// Calls back for the slices that `columns` pixels show between `from` and `to`: slices as wide as a pixel whole, of
  /// narrower ones the one at the middle of each column. At most two runs a column. O(columns · log slices).
  void forEachRun(std::size_t row, double from, double to, int columns,
                  const std::function<void(const Run&)>& visit) const;

 private:
  [[nodiscard]] const TimelineSlice& slice(std::uint32_t number) const { return m_timeline->slices[number]; }
  /// The first slice of a row that ends after a time.
  [[nodiscard]] std::size_t firstAfter(const TimelineRow& row, double time) const;

  std::shared_ptr<const p2::Timeline> m_timeline;
  std::vector<TimelineRow> m_rows;
  std::set<SliceKind> m_kinds;
};

}  // namespace p2::views
