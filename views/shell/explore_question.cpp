// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/explore_question.h"

#include <algorithm>

#include "placement/containment.h"
#include "placement/framework_axes.h"

namespace p2::views {
namespace {

constexpr std::uint64_t kProgramsKept = 200'000;

bool isBetweenEdits(const Workspace& workspace) {
  return workspace.system.levels.empty() || workspace.axes.empty() || !checkAxes(workspace.system, workspace.axes).ok();
}

}  // namespace

Workspace exploredPartOf(const Workspace& workspace) {
  Workspace question;
  question.system = workspace.system;
  question.axes = workspace.axes;
  question.options = workspace.options;
  return question;
}

bool sameQuestion(const Workspace& a, const Workspace& b) {
  return a.options == b.options && a.axes == b.axes && a.system == b.system;
}

bool sameTraining(const Workspace& a, const Workspace& b) {
  TrainingChoice one = a.training;
  one.chosen = b.training.chosen;
  return one == b.training;
}

void dropMisfit(Workspace& workspace) {
  if (workspace.matrix.empty() || isBetweenEdits(workspace)) return;
  if (!checkMatrix(workspace.system, workspace.axes, workspace.matrix).ok()) {
    workspace.matrix = {};
    workspace.program.clear();
    return;
  }
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
  if (!parseProgram(hierarchy, workspace.program).ok()) workspace.program.clear();
}

void followDevices(const Workspace& before, Workspace& next) {
  if (before.system == next.system || before.axes != next.axes || next.planned || next.workload) return;
  if (isBetweenEdits(before) || next.system.levels.empty() || checkAxes(next.system, next.axes).ok()) return;
  std::size_t follower = 0;
  while (next.axes.size() > 1 && frameworkAxisOf(next.axes[follower].name) != frameworkAxisOf("data")) {
    if (++follower == next.axes.size()) return;
  }
  const std::int64_t size = fittingSize(next.system, next.axes, follower);
  if (size > 0) next.axes[follower].size = size;
}

std::size_t affordablePrograms(const Workspace& workspace) {
  const std::uint64_t placements = countMatricesOf(workspace.system, workspace.axes).clamped64();
  return std::clamp<std::uint64_t>(kProgramsKept / std::max<std::uint64_t>(placements, 1), 20, 1000);
}

}  // namespace p2::views
