// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/state_image.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "views/common/theme.h"
#include "views/program/stepper_painter.h"

namespace p2::views {
namespace {

/// From this size on, bits are set apart by a line.
constexpr int kUnitWithGap = 4;

std::vector<QRgb> columnColors(int members) {
  std::vector<QRgb> colors;
  for (int member = 0; member < members; ++member) colors.push_back(memberColor(member, members).rgb());
  return colors;
}

}  // namespace

QImage stateImage(const DeviceState& state, int side) {
  const int k = state.size();
  const int unit = std::max(1, side / k);
  const int gap = unit >= kUnitWithGap ? 1 : 0;
  const std::vector<QRgb> columns = columnColors(k);
  const QRgb ground = Theme::surface().rgb();
  const QRgb emptyRow = Theme::box(Theme::isDark() ? 0 : 1).rgb();
  const QRgb heldRow = Theme::box(Theme::isDark() ? 2 : 3).rgb();

  QImage image(k * unit, k * unit, QImage::Format_RGB32);
  image.fill(ground);
  std::vector<QRgb> line(std::size_t(k) * unit, ground);
  for (int row = 0; row < k; ++row) {
    const QRgb absent = state.rowEmpty(row) ? emptyRow : heldRow;
    for (int column = 0; column < k; ++column) {
      const QRgb color = state.test(row, column) ? columns[std::size_t(column)] : absent;
      std::fill_n(line.begin() + std::ptrdiff_t(column) * unit, unit - gap, color);
    }
    for (int y = row * unit; y < (row + 1) * unit - gap; ++y) {
      std::memcpy(image.scanLine(y), line.data(), line.size() * sizeof(QRgb));
    }
  }
  return k > side ? image.scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation) : image;
}

}  // namespace p2::views
