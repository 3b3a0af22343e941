// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/setting.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/numbers.h"

namespace p2::inline training_files {
namespace {

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(),
                 [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  return made;
}

/// A number with the underscores that Python, TOML and YAML allow between digits.
std::optional<double> plainNumber(std::string_view text) {
  std::string digits;
  for (const char each : trimmedText(text)) {
    if (each != '_') digits += each;
  }
  if (digits.starts_with('+')) digits.erase(0, 1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    return {};
  return value;
}

}  // namespace

std::string_view trimmedText(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool endsWithPath(std::string_view path, std::string_view name) {
  if (!path.ends_with(name)) return false;
  return path.size() == name.size() || path[path.size() - name.size() - 1] == '.';
}

const Setting* settingOf(const Settings& settings, std::string_view key) {
  const auto found = std::find_if(settings.all.rbegin(), settings.all.rend(),
                                  [&](const Setting& each) { return endsWithPath(each.key, key); });
  return found == settings.all.rend() ? nullptr : &*found;
}

std::string settingKey(std::string_view name) {
  while (name.starts_with('-')) name.remove_prefix(1);
  std::string key(name);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::optional<double> numberOf(std::string_view text) {
  double product = 1;
  while (true) {
    const std::size_t times = text.find('*');
    const auto factor = plainNumber(text.substr(0, times));
    if (!factor) return std::nullopt;
    product *= *factor;
    if (times == std::string_view::npos) return product;
    text.remove_prefix(times + 1);
  }
}

std::optional<std::int64_t> wholeOf(std::string_view text) {
  constexpr double kMost = 1e15;
  const auto number = numberOf(text);
  if (!number || *number != std::floor(*number) || std::abs(*number) > kMost) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<bool> flagOf(std::string_view text) {
  constexpr std::array<std::string_view, 4> kYes{"true", "yes", "on", "1"};
  constexpr std::array<std::string_view, 4> kNo{"false", "no", "off", "0"};
  const std::string word = lower(trimmedText(text));
  if (std::find(kYes.begin(), kYes.end(), word) != kYes.end()) return true;
  if (std::find(kNo.begin(), kNo.end(), word) != kNo.end()) return false;
  return std::nullopt;
}

bool isNone(std::string_view text) {
  constexpr std::array<std::string_view, 5> kNone{"", "null", "none", "auto", "~"};
  const std::string word = lower(trimmedText(text));
  return std::find(kNone.begin(), kNone.end(), word) != kNone.end();
}

}  // namespace p2::inline training_files
