// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/detail/nccl_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/figures.h"
#include "base/pasted_text.h"
#include "base/units.h"

namespace p2::inline remote {
namespace {

constexpr std::size_t kTimeColumns = 8;  // from the first time on
constexpr int kMostRanks = 1 << 16;

/// Bytes of an element, by the names that nccl-tests and rccl-tests print; 0 for others.
double elementBytes(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, double>, 22> kTypes{
      {{"int8", 1},     {"uint8", 1},  {"char", 1},   {"fp8", 1},     {"f8e4m3", 1}, {"f8e5m2", 1},
       {"fp8_e4m3", 1}, {"bf8", 1},    {"half", 2},   {"float16", 2}, {"fp16", 2},   {"bfloat16", 2},
       {"bf16", 2},     {"int32", 4},  {"uint32", 4}, {"int", 4},     {"float", 4},  {"float32", 4},
       {"int64", 8},    {"uint64", 8}, {"double", 8}, {"fp8_e5m2", 1}}};
  const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& row) { return row.first == type; });
  return found == kTypes.end() ? 0 : found->second;
}

/// Half a unit of the last digit of a printed number.
double roundingOf(std::string_view word) {
  const std::size_t point = word.find('.');
  if (point == std::string_view::npos) return 0.5;
  const std::size_t digits = std::min(word.find_first_not_of("0123456789", point + 1), word.size()) - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(digits));
}

/// A count of elements, however large.
std::int64_t wholeElements(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  if (!(value > 0)) return 0;
  return value < kLimit ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::max();
}

std::int64_t sumOf(std::int64_t a, std::int64_t b) {
  return a > std::numeric_limits<std::int64_t>::max() - b ? std::numeric_limits<std::int64_t>::max() : a + b;
}

/// One of the two measurements of a row. False if its cells are none.
bool takeMeasurement(const std::vector<std::string_view>& words, std::size_t at, NcclRow& row) {
  double microseconds = 0;
  double wrong = 0;
  if (!readNumber(words[at], microseconds)) return words[at] == "N/A";
  if (microseconds / 1e6 > kTimeRange.most) return false;
  // Older versions print the largest error there instead of a count, as in 4e-07.
  const bool counts = words[at + 3].find_first_of(".eE") == std::string_view::npos;
  if (counts && readNumber(words[at + 3], wrong)) row.test.wrong = sumOf(row.test.wrong, wholeElements(wrong));
  if (const auto share = shareOf(words[at + 1], words[at + 2])) row.shares.push_back(*share);
  if (microseconds <= 0 || microseconds / 1e6 >= row.test.seconds) return true;
  row.test.seconds = microseconds / 1e6;
  row.timed = true;
  return true;
}

std::optional<NcclRow> rowOf(const std::vector<std::string_view>& words) {
  if (words.size() < 3 + kTimeColumns || words.size() > 5 + kTimeColumns) return std::nullopt;
  NcclRow row;
  double bytes = 0;
  if (!readNumber(words[0], bytes) || !readNumber(words[1], row.count) || bytes > kAmountRange.most) {
    return std::nullopt;
  }
  row.test.bytes = Bytes(bytes);
  row.type = words[2];
  const std::size_t first = words.size() - kTimeColumns;
  if (first >= 4) row.operation = words[3];
  if (first >= 5) row.root = words[4];
  row.test.seconds = INFINITY;
  for (const std::size_t at : {first, first + 4}) {
    if (!takeMeasurement(words, at, row)) return std::nullopt;
  }
  return row;
}

/// The length of a "[12]" that a text begins with, with which MPICH marks the pieces of lines; 0 for none.
std::size_t rankMark(std::string_view text) {
  if (!text.starts_with('[')) return 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  if (end < 2 || end >= text.size() || text[end] != ']') return 0;
  return end + 1 == text.size() || text[end + 1] == ' ' || text[end + 1] == '\t' ? end + 1 : 0;
}

/// Marks stand between words and at the ends of words.
std::vector<std::string_view> wordsOfRow(std::string_view line) {
  std::vector<std::string_view> words;
  for (const std::string_view word : wordsOfLine(line)) {
    const std::size_t open = word.find('[');
    const bool marked = open != std::string_view::npos && rankMark(word.substr(open)) == word.size() - open;
    const std::string_view rest = marked ? word.substr(0, open) : word;
    if (!rest.empty()) words.push_back(rest);
  }
  return words;
}

/// A collective's bus bandwidth is `factor`·(n−1)/n of its algorithm bandwidth; with factor 0 it is the same.
struct Traits {
  std::string_view collective;
  bool sums;
  bool rooted;
  bool gathers;  ///< count is one rank's part of the size
  double factor;
};
constexpr std::array kTraits{Traits{"AllReduce", true, false, false, 2}, Traits{"ReduceScatter", true, false, true, 1},
                             Traits{"AllGather", false, false, true, 1}, Traits{"AllToAll", false, false, true, 1},
                             Traits{"Reduce", true, true, false, 0},     Traits{"Broadcast", false, true, false, 0},
                             Traits{"Scatter", false, true, true, 1}};

const Traits* traitsOfTest(std::string_view collective) {
  const auto found =
      std::find_if(kTraits.begin(), kTraits.end(), [&](const Traits& each) { return each.collective == collective; });
  return found == kTraits.end() ? nullptr : &*found;
}

/// The ranks that a share of factor·(n−1)/n allows; the most is a very large number where there is no end.
Interval ranksFor(const Interval& share, double factor) {
  const auto ranks = [&](double value) { return value >= factor ? 1e9 : 1 / (1 - value / factor); };
  return {std::max(2.0, std::ceil(ranks(std::max(share.low, 0.0)) - 1e-6)), std::floor(ranks(share.high) + 1e-6)};
}

}  // namespace

std::optional<Interval> shareOf(std::string_view algorithm, std::string_view bus) {
  double low = 0;
  double high = 0;
  if (!readNumber(algorithm, low) || !readNumber(bus, high) || low <= 0 || high <= 0) return std::nullopt;
  const double a = roundingOf(algorithm);
  const double b = roundingOf(bus);
  if (low <= a || high <= b) return std::nullopt;
  return Interval{(high - b) / (low + a), (high + b) / (low - a)};
}

std::optional<NcclRow> ncclRowIn(std::string_view line) {
  const std::vector<std::string_view> words = wordsOfRow(line);
  if (const auto row = rowOf(words)) return row;
  const auto type = std::find_if(words.begin(), words.end(), [](std::string_view w) { return elementBytes(w) > 0; });
  if (type == words.end() || type - words.begin() <= 2) return std::nullopt;
  return rowOf({type - 2, words.end()});
}

std::string rowsUnwrapped(std::string_view text) {
  std::vector<std::string_view> words;
  std::string result;
  for (const std::string_view line : filledLines(text)) {
    if (line.starts_with('#')) words.push_back("\n");
    const std::vector<std::string_view> more = wordsOfRow(line);
    words.insert(words.end(), more.begin(), more.end());
  }
  double number = 0;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t length = 0;
    const bool begins = at + 3 + kTimeColumns <= words.size() && readNumber(words[at], number) &&
                        readNumber(words[at + 1], number) && elementBytes(words[at + 2]) > 0;
    for (std::size_t columns = 5; begins && length == 0 && columns >= 3; --columns) {
      const std::size_t size = columns + kTimeColumns;
      const auto from = words.begin() + static_cast<std::ptrdiff_t>(at);
      if (at + size <= words.size() && rowOf({from, from + static_cast<std::ptrdiff_t>(size)})) length = size;
    }
    if (length > 0) result += '\n';
    for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i) result.append(words[at + i]) += ' ';
    if (length > 0) result += '\n';
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

void NcclEvidence::add(const NcclRow& row) {
  if (row.test.bytes <= Bytes(0)) return;
  ++m_rows;
  double root = 0;
  if (!row.operation.empty()) {
    m_sums = row.operation != "none";
    m_operation = row.operation;
  }
  if (readNumber(row.root, root)) {
    m_rooted = root >= 0;
    m_root = row.root;
  }
  const double bytes = row.count * elementBytes(row.type);
  if (bytes > 0 && m_ratio >= 0) {
    const double ratio = row.test.bytes.value() / bytes;
    const bool same = m_ratio == 0 || std::abs(m_ratio - ratio) < 0.02 * ratio;
    m_ratio = same ? std::max(m_ratio, ratio) : -1;
  }
  m_shares.insert(m_shares.end(), row.shares.begin(), row.shares.end());
}

/// Rows with small bandwidths say little; more than half of the others must agree, since people copy with slips.
std::string NcclEvidence::wrongShare(std::string_view collective) const {
  constexpr double kTelling = 0.05;
  constexpr double kSlack = 0.01;
  const double factor = traitsOfTest(collective)->factor;
  const Interval allowed = factor == 0 ? Interval{1, 1} : Interval{factor / 2, factor};
  std::size_t telling = 0;
  std::size_t against = 0;
  double seen = 0;
  for (const Interval& share : m_shares) {
    if (share.high - share.low > kTelling * share.low) continue;
    ++telling;
    if (share.high >= allowed.low * (1 - kSlack) && share.low <= allowed.high * (1 + kSlack)) continue;
    ++against;
    seen = (share.low + share.high) / 2;
  }
  if (against * 2 <= telling || telling == 0) return {};
  return "their bus bandwidth is " + formatFactor(seen) + " the algorithm bandwidth";
}

std::string NcclEvidence::contradiction(std::string_view collective) const {
  const Traits* traits = traitsOfTest(collective);
  if (traits == nullptr || m_rows == 0) return {};
  if (m_sums && *m_sums != traits->sums) {
    return std::string("their column redop says ") + m_operation;
  }
  if (m_rooted && *m_rooted != traits->rooted) return "their column root says " + m_root;
  if (!traits->gathers && m_ratio > 1.5) {
    return "their size is " + formatFactor(m_ratio) + " the bytes of count elements";
  }
  return wrongShare(collective);
}

std::vector<std::string> NcclEvidence::possible() const {
  std::vector<std::string> result;
  if (m_rows == 0 || !m_sums || !m_rooted || m_shares.empty()) return result;
  for (const Traits& traits : kTraits) {
    if (contradiction(traits.collective).empty()) result.emplace_back(traits.collective);
  }
  return result;
}

std::pair<int, int> NcclEvidence::ranks(std::string_view collective) const {
  const Traits* traits = traitsOfTest(collective);
  if (traits == nullptr) return {0, 0};
  const double ratio = std::round(m_ratio);
  if (traits->gathers && ratio >= 2 && std::abs(ratio - m_ratio) < 0.02 * ratio && ratio <= kMostRanks) {
    return {static_cast<int>(ratio), static_cast<int>(ratio)};
  }
  if (traits->factor == 0 || m_shares.empty()) return {0, 0};
  Interval all{2, kMostRanks};
  for (const Interval& share : m_shares) {
    const Interval one = ranksFor(share, traits->factor);
    all = {std::max(all.low, one.low), std::min(all.high, one.high)};
  }
  if (all.low > all.high || (all.low <= 2 && all.high >= kMostRanks)) return {0, 0};
  return {static_cast<int>(all.low), static_cast<int>(all.high)};
}

}  // namespace p2::inline remote
