// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/break_evens.h"

#include <algorithm>

#include "base/near.h"

namespace p2::inline step {
namespace {

/// Seconds of a placement for either group: over the ratio they are a line.
struct Line {
  double first = 0;
  double second = 0;
};

double secondsOf(const StepRanking& ranking, const PlacementStep& placement, const EntryGroup& group) {
  double seconds = 0;
  for (const std::size_t entry : group.entries) seconds += ranking.seconds(placement, entry);
  return seconds;
}

double bytesOfGroup(const StepRanking& ranking, const EntryGroup& group) {
  double bytes = 0;
  for (const std::size_t entry : group.entries) bytes += bytesOf(ranking.entries()[entry]);
  return bytes;
}

std::size_t leastOf(const std::vector<Line>& lines) {
  std::size_t least = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const bool less = definitelyLess(lines[i].first, lines[least].first);
    const bool same = !less && !definitelyLess(lines[least].first, lines[i].first);
    if (less || (same && definitelyLess(lines[i].second, lines[least].second))) least = i;
  }
  return least;
}

/// The line below which the last one of the envelope stays the shortest, and where they meet.
struct Crossing {
  double times = 0;
  std::size_t line = 0;
};
std::optional<Crossing> nextCrossing(const std::vector<Line>& lines, std::size_t last) {
  std::optional<Crossing> next;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!definitelyLess(lines[i].second, lines[last].second)) continue;
    const double times = (lines[i].first - lines[last].first) / (lines[last].second - lines[i].second);
    const bool sooner = !next || definitelyLess(times, next->times);
    const bool same = next && !sooner && !definitelyLess(next->times, times);
    if (sooner || (same && definitelyLess(lines[i].second, lines[next->line].second))) next = Crossing{times, i};
  }
  return next;
}

/// "data, context", in the order of the axes.
std::string axesText(const StepRanking& ranking, const WorkloadEntry& entry) {
  std::string text;
  for (const Axis& axis : ranking.question.axes) {
    const bool named = std::find(entry.axes.begin(), entry.axes.end(), axis.name) != entry.axes.end();
    if (named && axis.size > 1) text += (text.empty() ? "" : ", ") + axis.name;
  }
  return text;
}

}  // namespace

std::size_t BreakEvens::here() const {
  std::size_t best = least;
  for (const BreakEven& point : points) {
    if (point.times <= 1) best = point.to;
  }
  return best;
}

double bytesOf(const WorkloadEntry& entry) {
  const double once = static_cast<double>(entry.bytes) * static_cast<double>(entry.count);
  return entry.kind == CommunicationKind::AllReduce ? once : once / 2;
}

std::vector<EntryGroup> groupsByAxes(const StepRanking& ranking) {
  std::vector<EntryGroup> groups;
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const std::string name = axesText(ranking, ranking.entries()[i]);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const EntryGroup& each) { return each.name == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), EntryGroup{name, {}});
    group->entries.push_back(i);
  }
  std::stable_sort(groups.begin(), groups.end(), [&](const EntryGroup& a, const EntryGroup& b) {
    return bytesOfGroup(ranking, a) > bytesOfGroup(ranking, b);
  });
  return groups;
}

BreakEvens breakEvens(const StepRanking& ranking, EntryGroup first, EntryGroup second) {
  BreakEvens answer{std::move(first), std::move(second), 0, 0, {}};
  answer.ratio = bytesOfGroup(ranking, answer.second) / bytesOfGroup(ranking, answer.first);
  std::vector<Line> lines;
  for (const PlacementStep& placement : ranking.placements) {
    lines.push_back({secondsOf(ranking, placement, answer.first), secondsOf(ranking, placement, answer.second)});
  }
  answer.least = leastOf(lines);
  std::size_t last = answer.least;
  while (const auto next = nextCrossing(lines, last)) {
    answer.points.push_back({next->times * answer.ratio, next->times, last, next->line});
    last = next->line;
  }
  return answer;
}

BreakEvens breakEvens(const StepRanking& ranking, std::size_t first, std::size_t second) {
  return breakEvens(ranking, {ranking.entries()[first].name, {first}}, {ranking.entries()[second].name, {second}});
}

std::optional<BreakEvens> breakEvens(const StepRanking& ranking) {
  std::vector<EntryGroup> groups = groupsByAxes(ranking);
  if (groups.size() < 2) return std::nullopt;
  groups.resize(2);
  // By the first axis that only one of them has, so that a slider does not turn the ratio over.
  const auto axesOf = [&](const EntryGroup& group) {
    const std::vector<std::string>& names = ranking.entries()[group.entries[0]].axes;
    std::vector<bool> missing;
    for (const Axis& axis : ranking.question.axes) {
      missing.push_back(axis.size == 1 || std::find(names.begin(), names.end(), axis.name) == names.end());
    }
    return missing;
  };
  if (axesOf(groups[1]) < axesOf(groups[0])) std::swap(groups[0], groups[1]);
  return breakEvens(ranking, std::move(groups[0]), std::move(groups[1]));
}

}  // namespace p2::inline step
