// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/folded_runs.h"

#include <QStringList>
#include <algorithm>

namespace p2::views {
namespace {

bool contains(const ChunkSet& set, std::int64_t number) {
  const auto next = std::upper_bound(set.begin(), set.end(), number,
                                     [](std::int64_t value, const ChunkRange& range) { return value < range.from; });
  return next != set.begin() && number < std::prev(next)->to;
}

QString rangeText(const ChunkRange& range) {
  return range.to - range.from == 1 ? QString::number(range.from) : QString("%1–%2").arg(range.from).arg(range.to - 1);
}

}  // namespace

std::vector<FoldedRun> foldedRuns(const ChunkSet& set, std::int64_t size, std::size_t most) {
  std::vector<FoldedRun> runs;
  std::int64_t at = 0;
  for (const ChunkRange& range : set) {
    if (range.from > at) runs.push_back({at, range.from - at, false});
    runs.push_back({range.from, range.to - range.from, true});
    at = range.to;
  }
  if (at < size) runs.push_back({at, size - at, false});
  if (runs.size() <= most) return runs;
  const std::size_t head = most / 2;
  const std::size_t tail = runs.size() - (most - head - 1);
  FoldedRun gap{runs[head].from, runs[tail].from - runs[head].from, false, std::int64_t(tail - head)};
  runs.erase(runs.begin() + std::ptrdiff_t(head), runs.begin() + std::ptrdiff_t(tail));
  runs.insert(runs.begin() + std::ptrdiff_t(head), gap);
  return runs;
}

QString runsText(const ChunkSet& set) {
  constexpr std::size_t kMostNamed = 3;
  QStringList named;
  for (std::size_t i = 0; i < std::min(set.size(), kMostNamed); ++i) named.append(rangeText(set[i]));
  if (set.size() <= kMostNamed) return named.join(", ");
  const std::size_t more = set.size() - kMostNamed;
  return QString("%1 and %2 more run%3").arg(named.join(", ")).arg(more).arg(more == 1 ? "" : "s");
}

ChunkSet changedRuns(const FoldedState& before, const FoldedState& after, double gap) {
  const bool sameColumns = before.columns == after.columns;
  std::vector<std::int64_t> edges;
  for (const ChunkSet* set : {&before.rows, &after.rows}) {
    for (const ChunkRange& range : *set) edges.insert(edges.end(), {range.from, range.to});
  }
  std::sort(edges.begin(), edges.end());
  ChunkSet changed;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    if (edges[i] == edges[i + 1]) continue;
    const bool was = contains(before.rows, edges[i]);
    const bool is = contains(after.rows, edges[i]);
    if (sameColumns ? was == is : !was && !is) continue;
    if (!changed.empty() && double(edges[i] - changed.back().to) < gap) {
      changed.back().to = edges[i + 1];
    } else {
      changed.push_back({edges[i], edges[i + 1]});
    }
  }
  return changed;
}

}  // namespace p2::views
