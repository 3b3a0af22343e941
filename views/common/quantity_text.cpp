// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/quantity_text.h"

#include <cmath>
#include <utility>

#include "base/numbers.h"
#include "base/units.h"

namespace p2::views {
namespace {

/// "270GB/s" for "270 GB/s" and "8GB/s" for "8.00 GB/s": as people type it, and one word of a system description.
std::string compact(const std::string& pretty) {
  std::size_t end = pretty.find_first_not_of("0123456789.");
  std::string number = pretty.substr(0, end);
  if (number.find('.') != std::string::npos) {
    while (number.back() == '0') number.pop_back();
    if (number.back() == '.') number.pop_back();
  }
  if (end != std::string::npos && pretty[end] == ' ') ++end;
  return end == std::string::npos ? number : number + pretty.substr(end);
}

}  // namespace

QString editableBandwidth(double bytesPerSecond) { return QString::fromStdString(typedBandwidth(bytesPerSecond)); }

QString editableSeconds(double seconds) { return QString::fromStdString(typedSeconds(seconds)); }

QString editableBytes(double bytes) {
  const std::string pretty = compact(formatBytes(bytes));
  if (const auto read = parseBytes(pretty); read.ok() && *read == bytes) return QString::fromStdString(pretty);
  constexpr std::pair<double, const char*> kBinary[]{
      {1099511627776.0, "TiB"}, {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}};
  for (const auto& [unit, name] : kBinary) {
    if (std::fmod(bytes, unit) == 0) return QString::fromStdString(exactNumber(bytes / unit) + name);
  }
  return QString::fromStdString(exactNumber(bytes));
}

}  // namespace p2::views
