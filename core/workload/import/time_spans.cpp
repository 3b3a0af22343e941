// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/time_spans.h"

#include <algorithm>

namespace p2::inline workload {

std::vector<TimeSpan> unionOf(std::vector<TimeSpan> spans) {
  std::sort(spans.begin(), spans.end(), [](const TimeSpan& a, const TimeSpan& b) { return a.begin < b.begin; });
  std::vector<TimeSpan> joined;
  for (const TimeSpan& span : spans) {
    if (!(span.begin < span.end)) continue;
    if (!joined.empty() && span.begin <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, span.end);
    } else {
      joined.push_back(span);
    }
  }
  return joined;
}

double lengthOf(const std::vector<TimeSpan>& spans) {
  double length = 0;
  for (const TimeSpan& span : spans) length += span.end - span.begin;
  return length;
}

double lengthWithin(const TimeSpan& span, const std::vector<TimeSpan>& spans) {
  const auto first =
      std::partition_point(spans.begin(), spans.end(), [&](const TimeSpan& other) { return other.end <= span.begin; });
  double length = 0;
  for (auto other = first; other != spans.end() && other->begin < span.end; ++other) {
    length += std::min(span.end, other->end) - std::max(span.begin, other->begin);
  }
  return length;
}

}  // namespace p2::inline workload
