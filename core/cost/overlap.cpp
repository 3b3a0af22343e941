// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/overlap.h"

#include <algorithm>

#include "base/near.h"

namespace p2::inline cost {

Overlapped overlappedIn(int chunks, std::span<const BusyStepOf> steps, const CostOptions& options) {
  const Bytes chunk = options.bytes * (1.0 / chunks);
  double first = 0;
  SecondsRange range;
  bool isKnown = !steps.empty();
  double period = 0;
  std::vector<double> busy;
  for (const BusyStepOf& stepOf : steps) {
    const BusyStep step = stepOf(chunk);
    first += step.seconds;
    range.low += step.lowSeconds;
    range.high += step.highSeconds;
    isKnown = isKnown && step.highSeconds > 0;
    period = std::max(period, step.seconds);
    busy.resize(std::max(busy.size(), step.busy.size()), 0);
    for (std::size_t i = 0; i < step.busy.size(); ++i) busy[i] += step.busy[i];
  }
  for (const double seconds : busy) period = std::max(period, seconds);
  Overlapped result{(first + (chunks - 1) * period) * options.repeat, chunks};
  const double stretch = result.seconds / first;
  if (isKnown) result.range = SecondsRange{range.low * stretch, range.high * stretch};
  return result;
}

Overlapped overlapped(std::span<const BusyStepOf> steps, const CostOptions& options) {
  Overlapped best{std::numeric_limits<double>::infinity(), 1};
  for (int chunks = 1; chunks <= (steps.size() > 1 ? kMostChunks : 1); chunks *= 2) {
    const Overlapped one = overlappedIn(chunks, steps, options);
    // A gain at rounding level is no reason to cut finer.
    if (definitelyLess(one.seconds, best.seconds)) best = one;
  }
  return best;
}

}  // namespace p2::inline cost
