// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "views/common/device_map.h"

namespace p2::views {

/// How much of a device's holding there is room to draw.
enum class Detail {
  Grid,    ///< every bit
  Folded,  ///< equal rows and columns as one
  Glyph,   ///< height and place: which chunks; width: over how many they are summed
  Classes  ///< devices that hold as much as each other share one glyph in their node
};

/// Places of all parts of a stage: the devices as large as they fit, and inside each its header and its matrix, for
/// which every pixel counts. In units of the map; a unit is `zoom` pixels of the screen.
class StageLayout {
 public:
  /// Bits may be up to twice as high as wide, or the other way round, where that fills the viewport.
  /// Lays out at most `mostDevices` of the devices, each with a matrix of `members` rows, as large as they fit into the
  /// viewport. Headers have room for text of that height.
  void arrange(const System& system, std::int64_t members, QSizeF viewport, std::int64_t mostDevices,
               double textHeight);
  void clear() { *this = {}; }
  /// How the map is seen: widget pixels per unit of it, and screen pixels per widget pixel.
  void setScale(double zoom, double devicePixelRatio);

  [[nodiscard]] const DeviceMap& map() const { return m_map; }
  [[nodiscard]] Detail detail() const { return m_detail; }
  [[nodiscard]] double zoom() const { return m_zoom; }
  [[nodiscard]] double devicePixelRatio() const { return m_devicePixelRatio; }
  /// Screen pixels per unit.
  [[nodiscard]] double pixelRatio() const { return m_zoom * m_devicePixelRatio; }
  /// Size of a matrix in screen pixels; with Detail::Grid a multiple of the bits' if these are at least one.
  [[nodiscard]] QSize matrixPixels() const { return m_matrixPixels; }

  /// Whether there is room for a device's number above its matrix.
  [[nodiscard]] bool hasHeader() const { return m_header > 0; }
  [[nodiscard]] QRectF headerRect(const QRectF& cell) const;
  [[nodiscard]] QRectF matrixRect(const QRectF& cell) const;
  /// Whether there is room next to the rows and above the columns for their numbers.
  [[nodiscard]] bool hasLabels() const { return m_gutter > 0; }
  [[nodiscard]] double rowHeight() const { return m_matrix.height() / double(m_members); }
  [[nodiscard]] double columnWidth() const { return m_matrix.width() / double(m_members); }
  [[nodiscard]] QRectF rowRect(Device device, std::int64_t chunk) const;
  struct Row {
    Device device;
    std::int64_t chunk = 0;
    friend bool operator==(const Row&, const Row&) = default;
  };
  [[nodiscard]] std::optional<Row> rowAt(QPointF point) const;

  static constexpr double kLabelledBit = 18;  ///< widget pixels of a bit from which on rows and columns have numbers

 private:
  [[nodiscard]] QSizeF cellOf(double width) const;
  void stretch(const System& system, QSizeF room, double aspect, std::int64_t mostDevices);
  void place();

  DeviceMap m_map;
  std::int64_t m_members = 1;
  double m_zoom = 1;
  double m_devicePixelRatio = 1;
  QSizeF m_cell;
  double m_headerPixels = 18;
  double m_gutterPixels = 15;
  Detail m_detail = Detail::Grid;
  QSize m_matrixPixels{1, 1};
  double m_margin = 0;
  double m_header = 0;
  double m_gutter = 0;
  QSizeF m_matrix{1, 1};
};

}  // namespace p2::views
