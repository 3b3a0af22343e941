// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIODevice>
#include <QRect>
#include <cstdint>
#include <optional>
#include <vector>

#include "views/present/color_table.h"

struct GifFileType;

namespace p2::views {

/// Writes an endlessly looping GIF. Only changed areas are written, and equal pictures become one with a longer delay.
/// All functions return success; after a failure nothing more is written.
class GifWriter {
 public:
  /// File and colours must outlive it.
  GifWriter(QIODevice& file, QSize size, const ColorTable& colors);
  ~GifWriter();
  GifWriter(const GifWriter&) = delete;
  GifWriter& operator=(const GifWriter&) = delete;

  /// A picture of the whole size that stands for that many hundredths of a second.
  bool add(const QImage& picture, int hundredths);
  /// Writes the rest; nothing may be added afterwards.
  bool finish();

 private:
  bool begin();
  bool write(const std::vector<std::uint8_t>& indices, const QRect& part, int hundredths);
  bool flush();
  [[nodiscard]] QRect changed(const std::vector<std::uint8_t>& next) const;

  QSize m_size;
  const ColorTable& m_colors;
  GifFileType* m_gif = nullptr;
  std::vector<std::uint8_t> m_last;  // as it stands on the screen once m_pending is written
  std::optional<QRect> m_pending;    // of m_last, not written yet
  int m_pendingHundredths = 0;
};

}  // namespace p2::views
