// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/units.h"
#include "cost/simulator.h"
#include "lesson/detail/page_parts.h"
#include "synthesis/lowering.h"

namespace p2::inline lesson {
namespace {

void addLevelFacts(LessonFacts& facts, const System& system) {
  for (const Level& level : system.levels) {
    facts.set(level.name + ".count", std::to_string(level.count));
    facts.set(level.name + ".bandwidth", formatBandwidth(bandwidthOf(level.interconnect, system.calibrated)));
    facts.set(level.name + ".latency", formatSeconds(latencyOf(level.interconnect, system.calibrated)));
  }
}

void addPlacementFacts(PreparedPage& prepared) {
  const Exploration& exploration = *prepared.exploration;
  double best = exploration.placements.front().bestSeconds;
  double slowest = best;
  double slowestSingle = exploration.placements.front().singleSeconds;
  for (const PlacementResult& each : exploration.placements) {
    best = std::min(best, each.bestSeconds);
    slowest = std::max(slowest, each.bestSeconds);
    slowestSingle = std::max(slowestSingle, each.singleSeconds);
  }
  LessonFacts& facts = prepared.facts;
  facts.set("placements", exploration.placementCount.toString());
  facts.setSeconds("best_placement.seconds", best);
  facts.setSeconds("slowest_placement.seconds", slowest);
  facts.setFactor("placement_gain", slowest / best);
  facts.setSeconds("slowest_flat.seconds", slowestSingle);
}

/// Number of a placement's programs that take longer than the seconds of a page's condition.
void addFoundFacts(PreparedPage& prepared) {
  const auto* find = std::get_if<FindTask>(&prepared.page.task.kind);
  if (find == nullptr || find->seconds <= 0) return;
  const auto& programs = prepared.result().programs;
  const auto slower = std::count_if(programs.begin(), programs.end(),
                                    [&](const ProgramResult& each) { return each.seconds > find->seconds; });
  prepared.facts.set("slower_programs", std::to_string(slower));
}

void addStepFacts(PreparedPage& prepared, const std::string& prefix, const Instruction& instruction,
                  const LoweredStep& lowered, const StepCost& cost) {
  LessonFacts& facts = prepared.facts;
  double share = 0;
  for (const LoweredGroup& group : lowered.groups) share = std::max(share, workingShare(lowered.collective, group));
  facts.set(prefix + "collective", std::string(nameOf(instruction.collective)));
  facts.setCount(prefix + "groups", static_cast<double>(lowered.groups.size()));
  facts.setCount(prefix + "group_size",
                 static_cast<double>(prepared.result().hierarchy->groupSize(instruction.pattern)));
  facts.setBytes(prefix + "bytes", (share * prepared.exploration->workspace.options.cost.bytes).value());
  facts.setSeconds(prefix + "seconds", cost.seconds);
  facts.setBytes(prefix + "link_bytes", cost.linkBytes.value());
  if (!cost.link.isNone()) facts.set(prefix + "link", prepared.exploration->topology->linkName(cost.link));
}

}  // namespace

void addSettingFacts(PreparedPage& prepared) {
  const Workspace& setting = prepared.exploration->workspace;
  const PlacementResult& result = prepared.result();
  const Placement placement(setting.axes, result.matrix);
  LessonFacts& facts = prepared.facts;
  facts.setCount("devices", static_cast<double>(placement.deviceCount()));
  facts.setCount("chunks", static_cast<double>(placement.groupSize()));
  facts.setCount("reduction_groups", static_cast<double>(placement.groupCount()));
  facts.setBytes("bytes", setting.options.cost.bytes.value());
  facts.setBytes("chunk_bytes", setting.options.cost.bytes.value() / static_cast<double>(placement.groupSize()));
  facts.set("repeat", std::to_string(setting.options.cost.repeat));
  facts.set("goal", std::string(setting.options.goal.name));
  facts.set("matrix", result.matrix.text());
  facts.set("programs", result.programCount.toString());
  facts.set("levels", std::to_string(result.hierarchy->levelCount()));
  addLevelFacts(facts, setting.system);
  addPlacementFacts(prepared);
  addFoundFacts(prepared);
}

void addProgramFacts(PreparedPage& prepared, const std::string& prefix, const Program& program,
                     const ProgramTrace& trace) {
  LessonFacts& facts = prepared.facts;
  const Workspace& setting = prepared.exploration->workspace;
  facts.set(prefix + "program", programText(*prepared.result().hierarchy, program));
  facts.set(prefix + "title", programTitle(program));
  facts.set(prefix + "steps", std::to_string(program.size()));
  double seconds = 0;
  for (int step = 0; step < trace.validSteps(); ++step) {
    const LoweredStep lowered = loweredStep(trace, StepId(step), IdRange<Device>(setting.system.deviceCount()));
    const StepCost cost = simulateStep(*prepared.exploration->topology, lowered, setting.options.cost);
    addStepFacts(prepared, prefix + "step" + std::to_string(step + 1) + ".", program[static_cast<std::size_t>(step)],
                 lowered, cost);
    seconds += cost.seconds;
  }
  if (trace.failure()) {
    facts.set(prefix + "failed_step", std::to_string(trace.validSteps() + 1));
    facts.set(prefix + "failure", trace.failure()->sentence);
    if (trace.failure()->premise) facts.set(prefix + "premise", std::string(nameOf(trace.failure()->premise->premise)));
    return;
  }
  facts.setSeconds(prefix + "seconds", seconds);
  facts.setFactor(prefix + "gain", prepared.result().singleSeconds / seconds);
  if (const auto problem = trace.problem()) facts.set(prefix + "missing", problem->message);
}

}  // namespace p2::inline lesson
