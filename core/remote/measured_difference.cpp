// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/detail/measured_difference.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/counted.h"
#include "base/units.h"

namespace p2::inline remote {
namespace {

/// How many times as long `b` takes as `a`, where both have the same sizes: the median ratio, and one size of about
/// that ratio. Noise is up to 1.3 times; sizes below 64 KiB vary more.
struct Difference {
  double ratio = 1;
  Bytes bytes;
  double a = 0;
  double b = 0;
};
using TimedSizes = std::map<Bytes, double>;

std::optional<Difference> differenceBetween(const TimedSizes& a, const TimedSizes& b) {
  constexpr double kNoise = 1.3;
  const Bytes least(65536);
  std::vector<Difference> ratios;
  for (const auto& [bytes, seconds] : b) {
    const auto other = a.find(bytes);
    if (other != a.end() && bytes >= least) ratios.push_back({seconds / other->second, bytes, other->second, seconds});
  }
  if (ratios.empty()) return std::nullopt;
  std::sort(ratios.begin(), ratios.end(), [](const Difference& x, const Difference& y) { return x.ratio < y.ratio; });
  const Difference& median = ratios[ratios.size() / 2];
  return median.ratio > kNoise || median.ratio < 1 / kNoise ? std::optional(median) : std::nullopt;
}

std::string differenceText(const std::string& what, const Difference& difference) {
  const double ratio = std::max(difference.ratio, 1 / difference.ratio);
  return what + ", and the " + (difference.ratio > 1 ? "second" : "first") + " takes " + formatFactor(ratio) +
         " as long: " + formatSeconds(difference.a) + " and " + formatSeconds(difference.b) + " for " +
         formatBytes(difference.bytes);
}

TimedSizes sizesOf(const NcclTests& tests) {
  TimedSizes sizes;
  for (const NcclTest& test : tests.sizes) {
    if (test.wrong == 0 && test.seconds > 0) sizes.emplace(test.bytes, test.seconds);
  }
  return sizes;
}

}  // namespace

std::string differenceOf(const NcclTests& a, const NcclTests& b) {
  const bool same = !a.collective.empty() && a.collective == b.collective && a.ranks == b.ranks &&
                    a.algorithm == b.algorithm && a.protocol == b.protocol;
  const auto difference = same ? differenceBetween(sizesOf(a), sizesOf(b)) : std::nullopt;
  if (!difference) return {};
  const std::string over = a.ranks > 0 ? " over " + countedText(std::int64_t{a.ranks}, "rank") : "";
  return differenceText(a.collective + over, *difference);
}

void noteDifferences(const std::vector<MeasuredTime>& before, MeasuredFiles& more) {
  using Key = std::tuple<std::string, std::string, std::int64_t, int, int>;
  const auto keyOf = [](const MeasuredTime& row) {
    return Key{row.program + '/' + std::to_string(row.step.isNone() ? 0 : row.step.value() + 1), row.matrix.text(),
               row.outermost, row.forced ? static_cast<int>(*row.forced) : -1, static_cast<int>(row.protocol)};
  };
  std::map<Key, TimedSizes> old;
  std::map<Key, TimedSizes> fresh;
  std::map<Key, std::string> files;
  for (const MeasuredTime& row : before) {
    old[keyOf(row)].emplace(row.cost.bytes, row.seconds / row.cost.repeat);
    files.emplace(keyOf(row), row.file);
  }
  for (const MeasuredTime& row : more.measurements) {
    fresh[keyOf(row)].emplace(row.cost.bytes, row.seconds / row.cost.repeat);
  }
  for (const auto& [key, sizes] : fresh) {
    const auto other = old.find(key);
    const auto difference = other == old.end() ? std::nullopt : differenceBetween(other->second, sizes);
    if (!difference) continue;
    more.used.push_back(more.measurements.front().file + ": " +
                        differenceText("what " + files[key] + " measures", *difference) + "; both are fitted together");
  }
}

}  // namespace p2::inline remote
