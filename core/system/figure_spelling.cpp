// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/figure_spelling.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/numbers.h"
#include "base/units.h"

namespace p2 {
namespace {

/// "1e18" for 1e+18, "1e6" for 1e+06.
std::string shortNumber(double value) {
  std::string text = exactNumber(value);
  std::erase(text, '+');
  if (const std::size_t at = text.find("e0"); at != std::string::npos) text.erase(at + 1, 1);
  return text;
}

// A property has a range of its own.
Result<double> anyBandwidth(std::string_view text) { return bandwidthWithin(text, kAnyFigure); }
Result<double> anySeconds(std::string_view text) { return secondsWithin(text, kAnyFigure); }
Result<double> anySpeed(std::string_view text) { return flopsWithin(text, kAnyFigure); }
Result<double> anyAmount(std::string_view text) {
  P2_TRY_ASSIGN(const Bytes bytes, bytesWithin(text, kAnyFigure));
  return bytes.value();
}
std::string typedAmount(double bytes) { return typedBytes(Bytes(bytes)); }
std::string formatAmount(double bytes) { return formatBytes(Bytes(bytes)); }

constexpr std::array kSpellings{
    FigureSpelling{PropertyKind::Bandwidth, " B/s", anyBandwidth, typedBandwidth, formatBandwidth},
    FigureSpelling{PropertyKind::Seconds, " s", anySeconds, typedSeconds, formatSeconds},
    FigureSpelling{PropertyKind::Amount, " B", anyAmount, typedAmount, formatAmount},
    FigureSpelling{PropertyKind::Speed, " FLOP/s", anySpeed, typedFlops, formatFlops},
};

}  // namespace

const FigureSpelling& spellingOf(PropertyKind kind) {
  const auto found = std::find_if(kSpellings.begin(), kSpellings.end(),
                                  [&](const FigureSpelling& spelling) { return spelling.kind == kind; });
  assert(found != kSpellings.end());
  return *found;
}

std::string rangeText(const PropertyInfo& info) {
  const std::string unit(isFigure(info.kind) ? spellingOf(info.kind).unit : "");
  const std::string range = shortNumber(info.least) + unit + " to " + shortNumber(info.most) + unit;
  return info.none ? range + ", or " + exactNumber(*info.none) + " for none" : range;
}

bool isWithin(const PropertyInfo& info, double value) {
  return value == info.none || (std::isfinite(value) && value >= info.least && value <= info.most);
}

Result<double> figureFrom(const PropertyInfo& info, std::string_view text) {
  if (const auto whole = parseInteger(text); info.none && whole && static_cast<double>(*whole) == *info.none) {
    return *info.none;
  }
  return spellingOf(info.kind).parse(text);
}

}  // namespace p2
