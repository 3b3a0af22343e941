// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/state_svg.h"

#include <algorithm>
#include <cmath>

#include "exporters/detail/page_files.h"

namespace p2::inline exporters {
namespace {

constexpr double kHeader = 5;
constexpr double kGap = 5;
constexpr std::int64_t kMostColumns = 8;
constexpr double kMostHeight = 150;  // millimetres of a landscape page that a row of a handout takes

/// Millimetres of width for the grids of a row.
double widthOf(Sheet sheet) { return sheet == Sheet::Whole ? 150 : 120; }

/// Side of a bit of a grid of `members` rows.
double bitSide(int members, Sheet sheet) { return std::min(kBitMillimetres, (widthOf(sheet) - kGap) / members); }

std::int64_t gridColumns(int members, Sheet sheet) {
  const double grid = members * bitSide(members, sheet) + kGap;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(widthOf(sheet) / grid), 1, kMostColumns);
}

/// Lines of grids, as many as leave room for the rule on a landscape page.
std::int64_t mostLines(int members, Sheet sheet) {
  const double line = members * bitSide(members, sheet) + kHeader + kGap;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(kMostHeight / line), 1, sheet == Sheet::Whole ? 2 : 3);
}

/// Two decimals are finer than any printer of handouts.
std::string svgLength(double value) {
  const auto hundredths = std::llround(value * 100);
  const auto part = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) +
         (hundredths % 100 == 0 ? "" : "." + std::string(2 - part.size(), '0') + part);
}

std::string rectText(double x, double y, double width, double height, const std::string& more) {
  return "<rect x=\"" + svgLength(x) + "\" y=\"" + svgLength(y) + "\" width=\"" + svgLength(width) + "\" height=\"" +
         svgLength(height) + "\" " + more + "/>";
}

/// Hues where every contributor has its own; else one ink, and the place alone says whose part it is.
std::string inkOf(int column, int members) {
  const auto inks = contributorInks();
  return std::string(members <= int(inks.size()) ? inks[std::size_t(column)] : inks[0]);
}

std::string bitsText(const DeviceState& state, double x, double y, double bit) {
  const int members = state.size();
  std::string text;
  for (const int row : state.rows()) {
    text += rectText(x, y + row * bit, members * bit, bit, "fill=\"#e4e8ee\"");
    const std::vector<int> columns = state.columns(row);
    for (std::size_t i = 0; i < columns.size();) {
      std::size_t end = i + 1;
      const std::string ink = inkOf(columns[i], members);
      while (end < columns.size() && columns[end] == columns[end - 1] + 1 && inkOf(columns[end], members) == ink) ++end;
      text += rectText(x + columns[i] * bit, y + row * bit, double(end - i) * bit, bit, "fill=\"" + ink + "\"");
      i = end;
    }
  }
  return text;
}

std::string linesText(int members, double x, double y, double bit) {
  const double grid = members * bit;
  std::string text = rectText(x, y, grid, grid, "fill=\"none\" stroke=\"#515b68\" stroke-width=\"0.3\"");
  for (int i = 1; i < members; ++i) {
    text += "<path d=\"M" + svgLength(x) + " " + svgLength(y + i * bit) + "h" + svgLength(grid) + "M" +
            svgLength(x + i * bit) + " " + svgLength(y) + "v" + svgLength(grid) +
            "\" stroke=\"#8a94a1\" stroke-width=\"0.15\"/>";
  }
  return text;
}

}  // namespace

std::int64_t drawnDevices(const ProgramStory& story, Sheet sheet) {
  const int members = static_cast<int>(story.trace.chunks());
  return std::min(story.placement.deviceCount(), mostLines(members, sheet) * gridColumns(members, sheet));
}

std::string statesSvg(const ProgramStory& story, int steps, bool blank, Sheet sheet) {
  const std::int64_t shown = drawnDevices(story, sheet);
  const int members = static_cast<int>(story.trace.chunks());
  const double bit = bitSide(members, sheet);
  const double grid = members * bit;
  const std::int64_t columns = std::min(shown, gridColumns(members, sheet));
  const std::int64_t lines = (shown + columns - 1) / columns;
  const std::string width = svgLength(static_cast<double>(columns) * (grid + kGap) + 1);
  const std::string height = svgLength(static_cast<double>(lines) * (grid + kHeader + kGap));
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" +
                    width + "mm\" height=\"" + height + "mm\" role=\"img\" font-size=\"3.4\">";
  for (const Device device : IdRange<Device>(shown)) {
    const double x = static_cast<double>(device.value() % columns) * (grid + kGap) + 0.5;
    const double y = static_cast<double>(device.value() / columns) * (grid + kHeader + kGap) + kHeader;
    svg += "<text x=\"" + svgLength(x) + "\" y=\"" + svgLength(y - 1.2) + "\">device " +
           std::to_string(device.value()) + "</text>";
    const DeviceState& state = story.trace.matrixOf(device, steps);
    if (!blank) svg += bitsText(state, x, y, bit);
    svg += linesText(members, x, y, bit);
  }
  return svg + "</svg>";
}

}  // namespace p2::inline exporters
