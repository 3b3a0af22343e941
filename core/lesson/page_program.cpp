// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/units.h"
#include "cost/simulator.h"
#include "lesson/detail/page_parts.h"
#include "synthesis/lowering.h"
#include "synthesis/step_words.h"

namespace p2::inline lesson {
namespace {

constexpr std::size_t kMostPrograms = 1000;

bool asksForPlacements(const LessonPage& page) {
  const auto* find = std::get_if<FindTask>(&page.task.kind);
  return find != nullptr && find->among == FindTask::Among::Placements;
}

/// The placement of the page's matrix, the best where it has none.
std::size_t placementOf(const Exploration& exploration, const ParallelismMatrix& matrix) {
  for (std::size_t i = 0; i < exploration.placements.size(); ++i) {
    if (exploration.placements[i].matrix == matrix) return i;
  }
  return static_cast<std::size_t>(exploration.bestPlacement);
}

Result<void> addNamedFacts(PreparedPage& prepared) {
  for (const auto& [name, text] : prepared.page.programs) {
    const std::string pointer = "/programs/" + name;
    const auto program = programOf(prepared, text);
    if (!program.ok()) return program.error().at(pointer);
    P2_TRY_ASSIGN(const auto trace, traceOf(prepared, *program));
    addProgramFacts(prepared, name + ".", *program, trace);
  }
  for (const char* name : {"best", "slowest", "flat"}) {
    const auto program = programOf(prepared, name);
    if (!program.ok()) continue;
    P2_TRY_ASSIGN(const auto trace, traceOf(prepared, *program));
    addProgramFacts(prepared, std::string(name) + ".", *program, trace);
  }
  return {};
}

void addConditionFacts(PreparedPage& prepared) {
  if (const auto* find = std::get_if<FindTask>(&prepared.page.task.kind)) {
    if (find->seconds > 0) prepared.facts.set("asked", formatSeconds(find->seconds));
  }
  if (const auto* compose = std::get_if<ComposeTask>(&prepared.page.task.kind)) {
    if (compose->fasterThan) prepared.facts.set("asked", formatSeconds(*compose->fasterThan));
    if (compose->atMost) prepared.facts.set("at_most", std::to_string(*compose->atMost));
  }
}

}  // namespace

Result<Program> programOf(const PreparedPage& prepared, const std::string& text) {
  const auto named = prepared.page.programs.find(text);
  const PlacementResult& result = prepared.result();
  if (named != prepared.page.programs.end() && named->second != text) return programOf(prepared, named->second);
  if (text == "flat") return singleProgram(*result.hierarchy, prepared.exploration->workspace.options.goal);
  if ((text == "best" || text == "slowest") && !result.programs.empty()) {
    return text == "best" ? result.programs.front().program : result.programs.back().program;
  }
  return parseProgram(*result.hierarchy, text);
}

Result<void> prepareProgram(PreparedPage& prepared, std::stop_token stop) {
  const LessonPage& page = prepared.page;
  const bool onlyMatrix = !page.setting.matrix.empty() && !asksForPlacements(page);
  ExploreScope scope;
  scope.programsPerPlacement = kMostPrograms;
  auto explored = exploreWorkspace(page.setting, scope, onlyMatrix, stop);
  if (!explored.ok())
    return explored.error().kind == ErrorKind::Cancelled ? explored.error() : explored.error().at("/system");
  prepared.exploration = std::move(explored).value();
  prepared.placement = placementOf(*prepared.exploration, page.setting.matrix);
  if (!page.program.empty()) {
    auto program = programOf(prepared, page.program);
    if (!program.ok()) return program.error().at("/program");
    prepared.program = std::move(program).value();
  }
  auto trace = traceOf(prepared, prepared.program);
  if (!trace.ok()) return trace.error().at("/program");
  prepared.trace = *trace;
  addSettingFacts(prepared);
  if (!prepared.program.empty()) addProgramFacts(prepared, "", prepared.program, *trace);
  P2_TRY(addNamedFacts(prepared));
  addConditionFacts(prepared);
  return {};
}

std::string devicesText(const DeviceGroup& devices) {
  std::string text = devices.size() == 1 ? "device " : "devices ";
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (i > 0) text += i + 1 == devices.size() ? " and " : ", ";
    text += std::to_string(devices[i].value());
  }
  return text;
}

std::string stepText(const PreparedPage& prepared, int step) {
  const Instruction& instruction = prepared.program[static_cast<std::size_t>(step - 1)];
  return "step " + std::to_string(step) + " (" + stepWords(*prepared.result().hierarchy, instruction) + ")";
}

Result<ProgramTrace> traceOf(const PreparedPage& prepared, const Program& program) {
  const Workspace& setting = prepared.exploration->workspace;
  return ProgramTrace::run(Placement(setting.axes, prepared.result().matrix), *prepared.result().hierarchy, program,
                           setting.options.rules, setting.options.goal);
}

}  // namespace p2::inline lesson
