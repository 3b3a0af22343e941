// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <QRgb>
#include <array>
#include <cstdint>
#include <vector>

namespace p2::views {

/// A palette of at most 256 colours for a set of pictures: median cut over 15-bit colours. Other colours map to the
/// nearest one.
class ColorTable {
 public:
  static constexpr int kMost = 256;

  /// Builds the palette of these pictures. O(pixels + 2^15 log 2^15).
  explicit ColorTable(const std::vector<QImage>& pictures);

  [[nodiscard]] const std::vector<QRgb>& colors() const { return m_colors; }
  [[nodiscard]] std::uint8_t indexOf(QRgb color) const;
  /// The picture as indices, row by row.
  [[nodiscard]] std::vector<std::uint8_t> indicesOf(const QImage& picture) const;

 private:
  static constexpr int kBuckets = 1 << 15;
  std::vector<QRgb> m_colors;
  std::vector<std::uint8_t> m_nearest;  // by bucket
};

}  // namespace p2::views
