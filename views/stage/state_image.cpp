// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/state_image.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "cost/flows/step_motion.h"
#include "views/common/contributor_colors.h"
#include "views/common/theme.h"
#include "views/stage/grid_style.h"

namespace p2::views {
namespace {

/// From this size on, bits are set apart by a line, and hatched where neighbours share a hue.
constexpr int kUnitWithGap = 4;
constexpr int kUnitWithPattern = 6;
/// Smaller digits cannot be read.
constexpr int kLeastDigit = 7;
/// In thinner rows and columns a frame would hide its contents.
constexpr double kLeastFramed = 3;

struct GridPalette {
  GridInk ink = GridInk::current();
  QRgb ground = ink.ground.rgb();
  QRgb missing = ink.missing.rgb();
};

std::vector<QRgb> columnColors(int members) {
  std::vector<QRgb> colors;
  for (int member = 0; member < members; ++member) colors.push_back(memberColor(member, members).rgb());
  return colors;
}

/// Frames round the runs of held rows, and dots through the others where there is room.
void drawFrames(QImage& image, const ChunkSet& held, std::int64_t size, const GridPalette& palette) {
  const double unit = double(image.height()) / double(size);
  QPainter painter(&image);
  if (unit >= 2 * kUnitWithGap) {
    painter.setPen(QPen(Theme::line(), 1, Qt::DotLine));
    std::int64_t at = 0;
    for (std::size_t run = 0; run <= held.size(); ++run) {
      for (const std::int64_t end = run < held.size() ? held[run].from : size; at < end; ++at) {
        const int y = int((double(at) + 0.5) * unit);
        painter.drawLine(2, y, image.width() - 3, y);
      }
      if (run < held.size()) at = held[run].to;
    }
  }
  if (std::min(unit, double(image.width()) / double(size)) < kLeastFramed) return;
  painter.setPen(QPen(palette.ink.frame, 1));
  for (const ChunkRange& range : held) {
    const int top = int(double(range.from) * unit);
    const int height = int(double(range.to) * unit) - top;
    painter.drawRect(0, top, image.width() - 1, height - 1);
  }
}

/// Hatching over the bits of columns that share their hue with others.
template <class Test>
void drawPatterns(QImage& image, int k, int unit, const Test& test, const GridPalette& palette) {
  QColor line = palette.ink.missing;
  line.setAlpha(190);
  QPainter painter(&image);
  for (int column = 0; column < k; ++column) {
    const Qt::BrushStyle pattern = memberPattern(column, k);
    if (pattern == Qt::SolidPattern) continue;
    for (int row = 0; row < k; ++row) {
      if (test(row, column)) painter.fillRect(column * unit, row * unit, unit - 1, unit - 1, QBrush(line, pattern));
    }
  }
}

/// Every bit as a square of `unit` pixels.
template <class RowEmpty, class Test>
QImage bitsImage(int k, int unit, const RowEmpty& rowEmpty, const Test& test) {
  const int gap = unit >= kUnitWithGap ? 1 : 0;
  const std::vector<QRgb> columns = columnColors(k);
  const GridPalette palette;
  QImage image(k * unit, k * unit, QImage::Format_RGB32);
  image.fill(palette.ground);
  std::vector<QRgb> line(std::size_t(k) * unit);
  for (int row = 0; row < k; ++row) {
    if (rowEmpty(row)) continue;
    std::fill(line.begin(), line.end(), palette.missing);
    for (int column = 0; column < k; ++column) {
      if (test(row, column)) {
        std::fill_n(line.begin() + std::ptrdiff_t(column) * unit, unit - gap, columns[std::size_t(column)]);
      }
    }
    for (int y = row * unit; y < (row + 1) * unit - gap; ++y) {
      std::memcpy(image.scanLine(y), line.data(), line.size() * sizeof(QRgb));
    }
    if (gap > 0) std::fill_n(reinterpret_cast<QRgb*>(image.scanLine((row + 1) * unit - 1)), k * unit, palette.missing);
  }
  if (unit >= kUnitWithPattern && k > kContributorColors) drawPatterns(image, k, unit, test, palette);
  return image;
}

ChunkSet heldRows(const DeviceState& state) {
  ChunkSet held;
  for (int row = 0; row < state.size(); ++row) {
    if (state.rowEmpty(row)) continue;
    if (!held.empty() && held.back().to == row) {
      ++held.back().to;
    } else {
      held.push_back({row, row + 1});
    }
  }
  return held;
}

std::vector<bool> membersOf(const ChunkSet& set, std::int64_t size) {
  std::vector<bool> members(std::size_t(size), false);
  for (const ChunkRange& range : set) std::fill(members.begin() + range.from, members.begin() + range.to, true);
  return members;
}

/// How much of each of `pixels` equal parts of [0, size) is in the set, 0 … 1.
std::vector<double> coverage(const ChunkSet& set, std::int64_t size, int pixels) {
  std::vector<double> covered(std::size_t(pixels), 0);
  const double scale = double(pixels) / double(size);
  for (const ChunkRange& range : set) {
    const double from = double(range.from) * scale;
    const double to = double(range.to) * scale;
    for (int pixel = int(from); pixel < pixels && pixel < to; ++pixel) {
      covered[std::size_t(pixel)] += std::min(to, pixel + 1.0) - std::max(from, double(pixel));
    }
  }
  return covered;
}

QRgb mixed(QRgb a, QRgb b, double shareOfB) {
  const auto mix = [&](int from, int to) {
    return int(std::lround(from + (to - from) * std::clamp(shareOfB, 0.0, 1.0)));
  };
  return qRgb(mix(qRed(a), qRed(b)), mix(qGreen(a), qGreen(b)), mix(qBlue(a), qBlue(b)));
}

/// The colours of the contributors on a part of the width.
QRgb blended(std::int64_t members, double from, double width) {
  constexpr int kSamples = 4;
  int red = 0;
  int green = 0;
  int blue = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const double at = from + (sample + 0.5) * width / kSamples;
    const QColor color = memberColor(int(at * double(members)), int(members));
    red += color.red();
    green += color.green();
    blue += color.blue();
  }
  return qRgb(red / kSamples, green / kSamples, blue / kSamples);
}

/// Several bits to a pixel, each pixel as dense as its bits. Rows of (nearly) the same density share their colours.
QImage denseImage(const FoldedState& state, int side) {
  constexpr int kDensities = 64;
  const GridPalette palette;
  const std::vector<double> rows = coverage(state.rows, state.size, side);
  const std::vector<double> columns = coverage(state.columns, state.size, side);
  std::vector<QRgb> held(columns.size(), palette.missing);
  for (std::size_t x = 0; x < columns.size(); ++x) {
    if (columns[x] > 0) held[x] = mixed(palette.missing, blended(state.size, double(x) / side, 1.0 / side), columns[x]);
  }
  std::array<std::vector<QRgb>, kDensities + 1> lines;
  QImage image(side, side, QImage::Format_RGB32);
  for (int y = 0; y < side; ++y) {
    const int density = std::clamp(int(std::lround(rows[std::size_t(y)] * kDensities)), 0, kDensities);
    std::vector<QRgb>& line = lines[std::size_t(density)];
    for (std::size_t x = line.size(); x < held.size(); ++x) {
      line.push_back(mixed(palette.ground, held[x], double(density) / kDensities));
    }
    std::memcpy(image.scanLine(y), line.data(), line.size() * sizeof(QRgb));
  }
  return image;
}

}  // namespace

QImage stateImage(const DeviceState& state, int side) {
  const int k = state.size();
  QImage image = bitsImage(
      k, std::max(1, side / k), [&](int row) { return state.rowEmpty(row); },
      [&](int row, int column) { return state.test(row, column); });
  if (k > side) image = image.scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  drawFrames(image, heldRows(state), k, {});
  return image;
}

QImage numbersImage(const DeviceState& state, QSize size) {
  const int k = state.size();
  const int height = size.height() / k;
  QFont font = Theme::tabularFont();
  font.setBold(true);
  // As large as the row is high, and as its largest sum is wide.
  constexpr int kProbe = 100;
  font.setPixelSize(kProbe);
  const QString widest = QString::number(std::int64_t{k} * (k + 1) / 2);
  const double byWidth = 0.95 * size.width() * kProbe / QFontMetricsF(font).horizontalAdvance(widest);
  const int pixels = int(std::min(height * 0.85, byWidth));
  if (pixels < kLeastDigit) return stateImage(state, std::min(size.width(), size.height())).scaled(size);
  font.setPixelSize(pixels);
  const GridPalette palette;
  QImage image(size.width(), k * height, QImage::Format_RGB32);
  image.fill(palette.ground);
  QPainter painter(&image);
  painter.setFont(font);
  painter.setPen(Theme::text());
  for (int row = 0; row < k; ++row) {
    if (state.rowEmpty(row)) continue;
    const QRect line(0, row * height, size.width(), height);
    painter.fillRect(line, palette.missing);
    painter.drawText(line, Qt::AlignCenter | Qt::TextDontClip, QString::number(sumOfRow(state, row)));
  }
  painter.end();
  drawFrames(image, heldRows(state), k, palette);
  return image;
}

QImage stateImage(const FoldedState& state, int side) {
  QImage image;
  if (state.size > side) {
    image = denseImage(state, side);
  } else {
    const std::vector<bool> rows = membersOf(state.rows, state.size);
    const std::vector<bool> columns = membersOf(state.columns, state.size);
    image = bitsImage(
        int(state.size), side / int(state.size), [&](int row) { return !rows[std::size_t(row)]; },
        [&](int row, int column) { return rows[std::size_t(row)] && columns[std::size_t(column)]; });
  }
  drawFrames(image, state.rows, state.size, {});
  return image;
}

}  // namespace p2::views
