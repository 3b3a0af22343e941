// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/state_svg.h"

#include <algorithm>
#include <cmath>

#include "exporters/page_files.h"

namespace p2 {
namespace {

constexpr double kGrid = 64;
constexpr double kHeader = 14;
constexpr double kGap = 10;

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

std::string bitsText(const DeviceState& state, double x, double y) {
  const int members = state.size();
  const double bit = kGrid / members;
  std::string text;
  for (const int row : state.rows()) {
    text += rectText(x, y + row * bit, kGrid, bit, "fill=\"#e4e8ee\"");
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

std::string linesText(int members, double x, double y) {
  std::string text = rectText(x, y, kGrid, kGrid, "fill=\"none\" stroke=\"#515b68\"");
  if (members > 16) return text;
  const double bit = kGrid / members;
  for (int i = 1; i < members; ++i) {
    text += "<path d=\"M" + svgLength(x) + " " + svgLength(y + i * bit) + "h" + svgLength(kGrid) + "M" +
            svgLength(x + i * bit) + " " + svgLength(y) + "v" + svgLength(kGrid) +
            "\" stroke=\"#c3cad3\" stroke-width=\"0.5\"/>";
  }
  return text;
}

}  // namespace

std::string statesSvg(const ProgramStory& story, int steps, bool blank) {
  const std::int64_t shown = std::min(story.placement.deviceCount(), kMostDrawnDevices);
  const auto columns = std::min<std::int64_t>(shown, 4);
  const auto lines = (shown + columns - 1) / columns;
  const double width = double(columns) * (kGrid + kGap);
  const double height = double(lines) * (kGrid + kHeader + kGap);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + svgLength(width) + " " +
                    svgLength(height) + "\" width=\"" + svgLength(width) + "\" height=\"" + svgLength(height) +
                    "\" role=\"img\" font-size=\"10\">";
  for (const Device device : IdRange<Device>(shown)) {
    const std::int64_t row = device.value() / columns;
    const std::int64_t column = device.value() % columns;
    const double x = double(column) * (kGrid + kGap) + 1;
    const double y = double(row) * (kGrid + kHeader + kGap) + kHeader;
    svg +=
        "<text x=\"" + svgLength(x) + "\" y=\"" + svgLength(y - 3) + "\">" + std::to_string(device.value()) + "</text>";
    const DeviceState& state = story.trace.matrixOf(device, steps);
    if (!blank) svg += bitsText(state, x, y);
    svg += linesText(state.size(), x, y);
  }
  return svg + "</svg>";
}

}  // namespace p2
