// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_result.h"

#include <algorithm>

namespace p2::inline runs {

Spread spreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const double median = values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {values.front(), median, values.back()};
}

std::string planHash(std::string_view plan) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : plan) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> shift & 15];
  return digits;
}

}  // namespace p2::inline runs
