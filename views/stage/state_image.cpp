// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/state_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "views/common/theme.h"
#include "views/stage/stage_painter.h"

namespace p2::views {
namespace {

/// From this size on, bits are set apart by a line.
constexpr int kUnitWithGap = 4;

struct Palette {
  QRgb ground = Theme::surface().rgb();
  QRgb emptyRow = Theme::box(Theme::isDark() ? 0 : 1).rgb();
  QRgb heldRow = Theme::box(Theme::isDark() ? 2 : 3).rgb();
};

std::vector<QRgb> columnColors(int members) {
  std::vector<QRgb> colors;
  for (int member = 0; member < members; ++member) colors.push_back(memberColor(member, members).rgb());
  return colors;
}

/// Every bit as a square of `unit` pixels.
template <class RowEmpty, class Test>
QImage bitsImage(int k, int unit, const RowEmpty& rowEmpty, const Test& test) {
  const int gap = unit >= kUnitWithGap ? 1 : 0;
  const std::vector<QRgb> columns = columnColors(k);
  const Palette palette;
  QImage image(k * unit, k * unit, QImage::Format_RGB32);
  image.fill(palette.ground);
  std::vector<QRgb> line(std::size_t(k) * unit, palette.ground);
  for (int row = 0; row < k; ++row) {
    const QRgb absent = rowEmpty(row) ? palette.emptyRow : palette.heldRow;
    for (int column = 0; column < k; ++column) {
      const QRgb color = test(row, column) ? columns[std::size_t(column)] : absent;
      std::fill_n(line.begin() + std::ptrdiff_t(column) * unit, unit - gap, color);
    }
    for (int y = row * unit; y < (row + 1) * unit - gap; ++y) {
      std::memcpy(image.scanLine(y), line.data(), line.size() * sizeof(QRgb));
    }
  }
  return image;
}

std::vector<bool> membersOf(const ChunkSet& set, std::int64_t size) {
  std::vector<bool> members(std::size_t(size), false);
  for (const ChunkRange& range : set) std::fill(members.begin() + range.from, members.begin() + range.to, true);
  return members;
}

/// How much of each of `pixels` equal parts of [0, size) lies in the set, 0 … 1.
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

/// Several bits to a pixel, each pixel as dense as its bits. Rows of (nearly) the same density share their colours.
QImage denseImage(const FoldedState& state, int side) {
  constexpr int kDensities = 64;
  const Palette palette;
  const std::vector<double> rows = coverage(state.rows, state.size, side);
  const std::vector<double> columns = coverage(state.columns, state.size, side);
  std::vector<QRgb> held(columns.size(), palette.heldRow);
  for (std::size_t x = 0; x < columns.size(); ++x) {
    if (columns[x] > 0) held[x] = mixed(palette.heldRow, memberColor(int(x), side).rgb(), columns[x]);
  }
  std::array<std::vector<QRgb>, kDensities + 1> lines;
  QImage image(side, side, QImage::Format_RGB32);
  for (int y = 0; y < side; ++y) {
    const int density = std::clamp(int(std::lround(rows[std::size_t(y)] * kDensities)), 0, kDensities);
    std::vector<QRgb>& line = lines[std::size_t(density)];
    for (std::size_t x = line.size(); x < held.size(); ++x) {
      line.push_back(mixed(palette.emptyRow, held[x], double(density) / kDensities));
    }
    std::memcpy(image.scanLine(y), line.data(), line.size() * sizeof(QRgb));
  }
  return image;
}

}  // namespace

QImage stateImage(const DeviceState& state, int side) {
  const int k = state.size();
  const QImage image = bitsImage(
      k, std::max(1, side / k), [&](int row) { return state.rowEmpty(row); },
      [&](int row, int column) { return state.test(row, column); });
  return k > side ? image.scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation) : image;
}

QImage stateImage(const FoldedState& state, int side) {
  if (state.size > side) return denseImage(state, side);
  const std::vector<bool> rows = membersOf(state.rows, state.size);
  const std::vector<bool> columns = membersOf(state.columns, state.size);
  return bitsImage(
      int(state.size), side / int(state.size), [&](int row) { return !rows[std::size_t(row)]; },
      [&](int row, int column) { return rows[std::size_t(row)] && columns[std::size_t(column)]; });
}

}  // namespace p2::views
