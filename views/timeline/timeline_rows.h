// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "timeline/timeline.h"

namespace p2::views {

/// An amount by SliceKind.
using ByKind = std::array<float, kSliceKinds.size()>;

/// The slices of one depth of a track; they do not overlap.
struct TimelineRow {
  std::uint32_t track = 0;
  int depth = 0;
  std::vector<std::uint32_t> slices;  ///< numbers in Timeline::slices, by time
  std::vector<ByKind> blocks = {};    ///< seconds of every kBlock slices
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

  /// A slice that is drawn by itself, or a column of pixels that narrow slices share.
  struct Run {
    std::optional<std::uint32_t> slice;  ///< none for a column
    double from = 0;                     ///< pixels from the left of the window
    double to = 0;
    ByKind shares = {};  ///< for a column, the part of its width that each kind takes; at most 1 together
  };
  /// Calls back for what `columns` pixels show between `from` and `to`: slices of `least` pixels and more whole, and a
  /// column for every pixel that narrower ones reach. A column tells all that is in it, wide slices too, so that the
  /// picture does not depend on where pixels begin. In order, at most two runs a column.
  /// O(columns · (log slices + kBlock) + slices / kBlock).
  void forEachRun(std::size_t row, double from, double to, int columns, double least,
                  const std::function<void(const Run&)>& visit) const;

 private:
  static constexpr std::size_t kBlock = 32;

  [[nodiscard]] const TimelineSlice& slice(std::uint32_t number) const { return m_timeline->slices[number]; }
  /// Seconds of each kind between two times. O(log slices + kBlock + slices between / kBlock).
  [[nodiscard]] ByKind secondsBetween(const TimelineRow& row, double from, double to) const;
  /// The first slice of a row that ends after a time.
  [[nodiscard]] std::size_t firstAfter(const TimelineRow& row, double time) const;

  std::shared_ptr<const p2::Timeline> m_timeline;
  std::vector<TimelineRow> m_rows;
  std::set<SliceKind> m_kinds;
};

}  // namespace p2::views
