// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "base/numbers.h"

namespace p2::inline base {
namespace {

struct Unit {
  std::string_view name;
  double scale;
};

constexpr std::array kTimes{Unit{"s", 1.0},   Unit{"", 1.0},    Unit{"ms", 1e-3}, Unit{"us", 1e-6},
                            Unit{"µs", 1e-6}, Unit{"μs", 1e-6}, Unit{"ns", 1e-9}};
constexpr std::array kBytes{Unit{"", 1.0},
                            Unit{"B", 1.0},
                            Unit{"kB", 1e3},
                            Unit{"KB", 1e3},
                            Unit{"MB", 1e6},
                            Unit{"GB", 1e9},
                            Unit{"TB", 1e12},
                            Unit{"KiB", 1024.0},
                            Unit{"MiB", 1048576.0},
                            Unit{"GiB", 1073741824.0},
                            Unit{"TiB", 1099511627776.0}};
constexpr std::array kBits{Unit{"bit", 0.125},     Unit{"kbit", 0.125e3}, Unit{"Mbit", 0.125e6}, Unit{"Gbit", 0.125e9},
                           Unit{"Tbit", 0.125e12}, Unit{"b", 0.125},      Unit{"kb", 0.125e3},   Unit{"Mb", 0.125e6},
                           Unit{"Gb", 0.125e9},    Unit{"Tb", 0.125e12}};

constexpr std::array kFlops{Unit{"", 1.0},      Unit{"FLOP", 1.0},   Unit{"kFLOP", 1e3},  Unit{"MFLOP", 1e6},
                            Unit{"GFLOP", 1e9}, Unit{"TFLOP", 1e12}, Unit{"PFLOP", 1e15}, Unit{"EFLOP", 1e18}};

/// Below these, a number without a unit is not of bytes or operations per second, but lacks the unit that was meant.
constexpr double kLeastBareBandwidth = 1e6;
constexpr double kLeastBareFlops = 1e9;

std::string significant(double value, std::string_view unit) {
  char buffer[64];
  const double size = std::abs(value);
  const int decimals = size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
  return (status == std::errc{} ? std::string(buffer, end) : exactNumber(value)) + std::string(unit);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Splits "270 GB/s" into its number and the unit behind it; nothing when no number leads the text.
std::optional<std::pair<double, std::string_view>> splitNumber(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return std::pair{value, trimmed(text.substr(static_cast<std::size_t>(stop - text.data())))};
}

std::optional<double> scaleOf(std::string_view name, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.scale;
  }
  return std::nullopt;
}

/// The double closest to the decimal number that was typed: 3.8 µs are 3.8e-6 s, not their neighbour.
double scaled(double value, double scale) {
  const double exponent = std::round(std::log10(scale));
  char buffer[64];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const std::size_t at = text.find('e');
  if (status != std::errc{} || at == std::string_view::npos || std::pow(10.0, exponent) != scale) return value * scale;
  int own = 0;
  const std::size_t sign = text[at + 1] == '+' ? 2 : 1;
  (void)std::from_chars(text.data() + at + sign, text.data() + text.size(), own);
  const std::string exact = std::string(text.substr(0, at)) + "e" + std::to_string(own + static_cast<int>(exponent));
  double result = value * scale;
  (void)std::from_chars(exact.data(), exact.data() + exact.size(), result);
  return result;
}

/// "270GB/s" for "270 GB/s" and "8GB/s" for "8.00 GB/s".
std::string typed(const std::string& pretty) {
  std::size_t end = pretty.find_first_not_of("0123456789.");
  std::string number = pretty.substr(0, end);
  if (number.find('.') != std::string::npos) {
    while (number.back() == '0') number.pop_back();
    if (number.back() == '.') number.pop_back();
  }
  if (end != std::string::npos && pretty[end] == ' ') ++end;
  return end == std::string::npos ? number : number + pretty.substr(end);
}

/// Decimal prefixes of a unit.
std::string withPrefix(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 7> kPrefixes{" ", " k", " M", " G", " T", " P", " E"};
  std::size_t step = 0;
  while (step + 1 < kPrefixes.size() && value >= 999.5) {
    value /= 1000;
    ++step;
  }
  const std::string name = std::string(kPrefixes[step]) + std::string(unit);
  if (step == 0 && value == std::floor(value)) return std::to_string(static_cast<long>(value)) + name;
  return significant(value, name);
}

/// In which a time is shown: how many of it a second has, and its name.
std::pair<double, std::string_view> secondsUnit(double seconds) {
  if (seconds >= 0.9995 || seconds == 0) return {1, " s"};
  if (seconds >= 0.9995e-3) return {1e3, " ms"};
  if (seconds >= 0.9995e-8) return {1e6, " µs"};
  return {1e9, " ns"};
}

}  // namespace

std::string formatSeconds(double seconds) {
  if (seconds == 0) return "0 s";
  if (!std::isfinite(seconds)) return "–";
  const auto [scale, unit] = secondsUnit(seconds);
  return significant(seconds * scale, unit);
}

std::string formatSecondsLike(double shown, double seconds) {
  if (!std::isfinite(seconds)) return "–";
  return significant(seconds * secondsUnit(shown).first, "");
}

std::string formatBytes(Bytes bytes) { return withPrefix(bytes.value(), "B"); }

std::string formatBandwidth(double bytesPerSecond) { return withPrefix(bytesPerSecond, "B/s"); }

std::string formatFlops(double flops) { return withPrefix(flops, "FLOP/s"); }

std::string formatFactor(double factor) { return significant(factor, "×"); }

std::string formatPercent(double share) {
  constexpr double kLeastPercent = 0.1;
  constexpr double kWholeFrom = 9.95;
  const double percent = 100 * share;
  const double size = std::abs(percent);
  if (size == 0) return "0 %";
  const char* const sign = percent < 0 ? "−" : "";
  if (size < kLeastPercent) return std::string(percent < 0 ? "> −" : "< ") + "0.1 %";
  // Nearly all is not all.
  constexpr double kNearlyAllFrom = 99.5;
  constexpr double kMostBelowAll = 99.9;
  const bool nearlyAll = size >= kNearlyAllFrom && size < 100;
  char text[48];
  (void)std::snprintf(text, sizeof text, "%s%.*f %%", sign, size < kWholeFrom || nearlyAll ? 1 : 0,
                      nearlyAll ? std::min(size, kMostBelowAll) : size);
  return text;
}

std::string formatSignedPercent(double share) {
  constexpr double kNothing = 0.001;  // formatPercent() has no digits for smaller values
  if (std::abs(share) < kNothing) return "0 %";
  return (share > 0 ? "+" : "") + formatPercent(share);
}

namespace {

/// The text if it reads back as the value, else with as many digits as that takes; in the base unit if nothing else
/// does.
std::string readingBack(double value, const std::string& text, Result<double> (*parse)(std::string_view),
                        std::string_view base) {
  const auto reads = [&](const std::string& candidate) {
    const auto read = parse(candidate);
    return read.ok() && *read == value;
  };
  if (reads(text)) return text;
  const std::size_t end = text.find_first_not_of("0123456789.");
  const std::string unit = end == std::string::npos ? std::string(base) : text.substr(end);
  const auto scale = parse("1" + unit);
  constexpr int kLeastDigits = 4;
  constexpr int kMostDigits = 17;
  for (int digits = kLeastDigits; scale.ok() && digits <= kMostDigits; ++digits) {
    char buffer[64];
    const auto [last, status] =
        std::to_chars(buffer, buffer + sizeof buffer, value / *scale, std::chars_format::general, digits);
    std::string candidate = std::string(buffer, last) + unit;
    if (status == std::errc{} && candidate.find('e') == std::string::npos && reads(candidate)) return candidate;
  }
  return exactNumber(value) + std::string(base);
}

}  // namespace

std::string typedBandwidth(double bytesPerSecond) {
  return readingBack(bytesPerSecond, typed(formatBandwidth(bytesPerSecond)), parseBandwidth, "B/s");
}

std::string typedSeconds(double seconds) {
  return readingBack(seconds, typed(formatSeconds(seconds)), parseSeconds, "s");
}

std::string typedBytes(Bytes bytes) {
  std::string text = typed(formatBytes(bytes));
  const auto read = parseBytes(text);
  if (read.ok() && *read == bytes) return text;
  constexpr std::array kBinary{std::pair{0x1p40, "TiB"}, std::pair{0x1p30, "GiB"}, std::pair{0x1p20, "MiB"},
                               std::pair{0x1p10, "KiB"}};
  for (const auto& [unit, name] : kBinary) {
    if (bytes > Bytes(0) && std::fmod(bytes.value(), unit) == 0) return exactNumber(bytes.value() / unit) + name;
  }
  return exactNumber(bytes.value()) + "B";
}

std::string typedFlops(double flops) { return readingBack(flops, typed(formatFlops(flops)), parseFlops, "FLOP/s"); }

Result<double> flopsWithin(std::string_view text, const FigureRange& range) {
  const auto parts = splitNumber(text);
  std::string_view unit = parts ? parts->second : "";
  if (unit.ends_with("/s")) {
    unit.remove_suffix(2);
  } else if (unit.ends_with("S") || unit.ends_with("s")) {
    unit.remove_suffix(1);
  }
  const auto scale = scaleOf(unit, kFlops);
  if (parts && parts->second.empty() && parts->first > 0 && parts->first < kLeastBareFlops) {
    return Error{"\"" + std::string(text) + "\" has no unit; write " + std::string(text) + "TFLOP/s, or " +
                 std::string(text) + "FLOP/s if that is meant"};
  }
  if (parts && scale && parts->first > 0) return withinRange(scaled(parts->first, *scale), range, text);
  return Error{"\"" + std::string(text) +
               "\" is not a speed; write a positive number of FLOP/s, as in 1e13 or 989TFLOP/s"};
}

Result<double> bandwidthWithin(std::string_view text, const FigureRange& range) {
  const Error wrong{"\"" + std::string(text) +
                    "\" is not a bandwidth; write a positive number with a unit, as in "
                    "270GB/s or 100Gbit/s"};
  const auto parts = splitNumber(text);
  if (!parts || parts->first <= 0) return wrong;
  std::string_view unit = parts->second;
  std::optional<double> scale;
  if (unit.ends_with("ps")) {
    scale = scaleOf(unit.substr(0, unit.size() - 2), kBits);
  } else {
    if (unit.ends_with("/s")) unit.remove_suffix(2);
    scale = scaleOf(unit, kBytes);
    if (!scale) scale = scaleOf(unit, kBits);
  }
  if (!scale) return wrong;
  if (parts->second.empty() && parts->first < kLeastBareBandwidth) {
    const std::string number(text);
    return Error{"\"" + number + "\" has no unit; write " + number + "GB/s or " + number + "Gbit/s, or " + number +
                 "B/s if bytes are meant"};
  }
  return withinRange(scaled(parts->first, *scale), range, text);
}

Result<double> secondsWithin(std::string_view text, const FigureRange& range) {
  const auto parts = splitNumber(text);
  const auto scale = parts ? scaleOf(parts->second, kTimes) : std::nullopt;
  if (!scale || parts->first < 0) {
    return Error{"\"" + std::string(text) +
                 "\" is not a time; write a number of 0 or more with a unit, as in "
                 "2us or 0.5ms"};
  }
  return withinRange(scaled(parts->first, *scale), range, text);
}

Result<Bytes> bytesWithin(std::string_view text, const FigureRange& range) {
  const auto parts = splitNumber(text);
  const auto scale = parts ? scaleOf(parts->second, kBytes) : std::nullopt;
  if (!scale || parts->first <= 0) {
    return Error{"\"" + std::string(text) +
                 "\" is not a number of bytes; write a positive number, as in 2147483648, "
                 "512MB or 2GiB"};
  }
  P2_TRY_ASSIGN(const double bytes, withinRange(scaled(parts->first, *scale), range, text));
  return Bytes(bytes);
}

}  // namespace p2::inline base
