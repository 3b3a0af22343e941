// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/sweep_text.h"

#include <algorithm>

#include "base/lists.h"
#include "base/near.h"
#include "base/numbers.h"
#include "base/units.h"
#include "synthesis/step_words.h"

namespace p2::inline explore {

std::string overText(const SweepRange& range) {
  switch (range.over) {
    case SweepOver::Bytes:
      return "bytes per device";
    case SweepOver::Nodes:
      return "nodes";
    case SweepOver::Bandwidth:
      return "bandwidth of " + range.interconnect;
    case SweepOver::Latency:
      return "latency of " + range.interconnect;
  }
  return {};
}

std::string valueText(const SweepRange& range, double value) {
  switch (range.over) {
    case SweepOver::Bytes:
      return formatBytes(Bytes(value));
    case SweepOver::Nodes:
      return exactNumber(value);
    case SweepOver::Bandwidth:
      return formatBandwidth(value);
    case SweepOver::Latency:
      return formatSeconds(value);
  }
  return {};
}

std::string choicesText(const SweepChoice& choice) {
  return joined(choice.steps, " · ", [](const StepCost& step) { return choiceText(step); });
}

std::string crossoverText(const SweepRange& range, const SweepCrossover& crossover) {
  const bool overNodes = range.over == SweepOver::Nodes;
  const std::string title = programTitle(crossover.to.program);
  const bool moves = crossover.from.matrix != crossover.to.matrix;
  // Over nodes the hierarchies are not the same; another placement tells programs of one title apart.
  const bool equal = !overNodes && !moves && title == programTitle(crossover.from.program);
  std::string text = (overNodes ? "from " : "above ") + valueText(range, crossover.value) + ' ' +
                     (equal ? shortProgramWords(*crossover.to.hierarchy, crossover.to.program) : title);
  if (!overNodes && moves) text += " on " + crossover.to.matrix.text();
  return text + " wins";
}

std::vector<std::string> fallTexts(const Sweep& sweep) {
  std::vector<std::string> texts;
  if (sweep.range.over != SweepOver::Bytes) return texts;
  const auto at = [&](const SweepPoint& point) {
    const std::string choices = choicesText(point.best);
    return formatSeconds(point.best.seconds) + " at " + valueText(sweep.range, point.value) +
           (choices.empty() ? "" : " (" + choices + ")");
  };
  for (std::size_t i = 1; i < sweep.points.size(); ++i) {
    const SweepPoint& before = sweep.points[i - 1];
    const SweepPoint& after = sweep.points[i];
    if (!definitelyLess(after.best.seconds, before.best.seconds)) continue;
    texts.push_back("time falls here because NCCL changes its choice: " + at(before) + ", " + at(after));
  }
  return texts;
}

std::string growingText(const Workspace& workspace) {
  const Level& outermost = workspace.system.levels.front();
  const auto growing =
      std::find_if(workspace.axes.begin(), workspace.axes.end(), [](const Axis& axis) { return axis.reduce; });
  return "nodes are instances of " + outermost.name + "; " + growing->name + ", " + std::to_string(growing->size) +
         " at " + std::to_string(outermost.count) + ", grows with them";
}

}  // namespace p2::inline explore
