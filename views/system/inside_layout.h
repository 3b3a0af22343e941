// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the drawing: what stands where inside one instance of a level.
#pragma once

#include <QRectF>
#include <vector>

#include "views/system/system_drawing.h"

namespace p2::views {

inline constexpr double kGap = 8;
inline constexpr double kPadding = 8;
inline constexpr double kBar = 24;
inline constexpr double kPort = 12;

/// Where the children of one instance stand; the same for all instances of a level.
struct Block {
  std::int64_t drawn = 0;   // children
  std::int64_t places = 0;  // with the one for those left out
  std::int64_t columns = 1;
  bool bar = false;       // their interconnect is a bar
  bool ring = false;      // … or links between neighbours
  bool numbered = false;  // children carry their number only; the caption says what they are
  QSizeF child;
  QSizeF size;

  [[nodiscard]] bool twoRows() const { return places > columns; }
  /// From one column to the next. A ring is spread out, so that its caption fits inside it.
  [[nodiscard]] double pitch() const;
  [[nodiscard]] QRectF slot(std::int64_t index) const;
  [[nodiscard]] double barTop() const;
};

/// The instances of one network inside an instance of a level, or the system.
struct NetworkRow {
  int network = 0;
  std::int64_t drawn = 1;
  double barWidth = 0;
};

/// The inside of an instance: its children, the one that stands open, its networks.
struct InsideLayout {
  Block block;
  DrawnLevel level;
  QSizeF openSize;  // of the child that stands open; empty for none
  std::vector<NetworkRow> rows;
  QSizeF size;

  [[nodiscard]] QRectF openRect() const;
  [[nodiscard]] QRectF barRect(std::size_t row, std::int64_t instance) const;
};

/// One per level: the inside of an instance of the level above it. At least one.
[[nodiscard]] std::vector<InsideLayout> measureInsides(const System& system, const std::vector<std::int64_t>& open);

/// What is written on the interconnect of a level: "NVSwitch · 270 GB/s · gpu 0–7".
[[nodiscard]] QString levelCaption(const Level& level, bool numbered);
/// What is written on an interconnect: "NIC · 8.00 GB/s · 2.00 µs", the kind where the name does not say it.
[[nodiscard]] QString interconnectCaption(const Interconnect& link);

}  // namespace p2::views
