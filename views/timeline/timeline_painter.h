// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <array>

#include "views/timeline/timeline_rows.h"

class QFontMetricsF;
class QPainter;

namespace p2::views {

/// The visible part of a timeline and its place.
struct TimelineWindow {
  double from = 0;   ///< seconds at the left edge of `area`
  double to = 1;     ///< and at the right edge
  QRectF area;       ///< place of the slices in the widget; scrolled by `top`
  double top = 0;    ///< pixels that are scrolled away above
  double row = 20;   ///< height of a row
  double label = 0;  ///< width of the names on the left of `area`

  [[nodiscard]] double xOf(double seconds) const { return area.left() + (seconds - from) / (to - from) * area.width(); }
  [[nodiscard]] double timeAt(double x) const { return from + (x - area.left()) / area.width() * (to - from); }
};

/// Tops of rows, heads of processes and counters, in pixels.
struct TimelineLayout {
  TimelineLayout() = default;
  TimelineLayout(const TimelineRows& rows, double rowHeight);
  struct Head {
    double y = 0;
    std::string text;
  };
  std::vector<double> rowTops;
  std::vector<Head> heads;  ///< of processes, where there are several
  std::vector<double> counterTops;
  double height = 0;
};

/// Paints a part of a timeline.
class TimelinePainter {
 public:
  TimelinePainter(QPainter& painter, const TimelineRows& rows, const TimelineLayout& layout,
                  const TimelineWindow& window);

  /// Rows and counters that are seen, with their names.
  void paint(bool stale);
  /// Ticks of time along the top of `strip`.
  void paintAxis(const QRectF& strip);
  /// Outlines a slice.
  void mark(std::size_t row, std::uint32_t slice);
  /// Number of rectangles that paint() has drawn.
  [[nodiscard]] int painted() const { return m_painted; }

 private:
  void paintRow(std::size_t row, bool stale);
  void paintSlice(std::size_t row, const TimelineRows::Run& run, double ratio, bool stale);
  using MixedColor = std::array<float, 3>;  ///< red, green and blue, to 255
  [[nodiscard]] MixedColor mixedColor(const ByKind& shares) const;
  void paintColumns(std::size_t row, const std::vector<MixedColor>& columns, double first, double ratio);
  void paintCounter(std::size_t counter);
  void paintNames();
  [[nodiscard]] bool isSeen(double top, double height) const;
  [[nodiscard]] QRectF rectOf(std::size_t row, double left, double right) const;

  QPainter& m_painter;
  const TimelineRows& m_rows;
  const TimelineLayout& m_layout;
  const TimelineWindow& m_window;
  std::array<QColor, kSliceKinds.size()> m_flat;  ///< by SliceKind
  int m_painted = 0;
};

/// A round number of seconds about as long as `least`: 1, 2 or 5 times a power of ten.
[[nodiscard]] double roundStep(double least);
/// "31.2345 s": a tick with as many digits as tell it from the next one, in the unit of the last.
[[nodiscard]] QString tickText(double seconds, double step, double last);

}  // namespace p2::views
