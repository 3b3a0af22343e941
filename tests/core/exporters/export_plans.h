// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

#include "exporters/exporters.h"
#include "support/fixtures.h"
#include "synthesis/instruction.h"

namespace p2::test {

/// A plan of the placement; its program is one AllReduce unless another is given.
inline Plan planOf(const std::string& system, const std::string& axes, const std::string& reduce,
                   const std::string& matrix, const std::string& program = {}, const Goal& goal = kAllReduceGoal) {
  Workspace workspace = workspaceOf(system, axes, reduce, matrix);
  workspace.options.goal = goal;
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
  workspace.program = program.empty() ? programText(hierarchy, singleProgram(hierarchy, goal)) : program;
  return valueOf(makePlan(workspace));
}

/// A plan of one AllReduce for every placement of the axes. `node` names the level of the nodes, if that is not the one
/// above the devices.
inline std::vector<Plan> plansOfPlacements(const std::string& system, const std::string& axes,
                                           const std::string& reduce, const std::string& node = {}) {
  Workspace workspace = workspaceOf(system, axes, reduce);
  workspace.system.node = node;
  MatrixEnumerator enumerator(sizesOf(workspace.axes), workspace.system.counts());
  std::vector<Plan> plans;
  while (enumerator.next()) {
    workspace.matrix = enumerator.matrix();
    const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
    workspace.program = programText(hierarchy, singleProgram(hierarchy));
    plans.push_back(valueOf(makePlan(workspace)));
  }
  return plans;
}

/// A plan for every program of every placement, by the given rules; of more than `most` programs as many, all through
/// the ranking.
inline std::vector<Plan> plansOfPrograms(const std::string& system, const std::string& axes, const std::string& reduce,
                                         const std::string& rules, const Goal& goal = kAllReduceGoal,
                                         std::size_t most = 200) {
  Workspace workspace = workspaceOf(system, axes, reduce);
  workspace.options.goal = goal;
  workspace.options.rules = ruleSetOf(rules);
  ExploreScope scope;
  scope.bestOverall = 0;
  const auto exploration = valueOf(exploreWorkspace(workspace, scope));
  std::vector<std::pair<ParallelismMatrix, std::string>> chosen;
  for (const PlacementResult& placement : exploration->placements) {
    for (const ProgramResult& program : placement.programs) {
      chosen.push_back({placement.matrix, programText(*placement.hierarchy, program.program)});
    }
  }
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < chosen.size(); i += (chosen.size() + most - 1) / most) {
    workspace.matrix = chosen[i].first;
    workspace.program = chosen[i].second;
    plans.push_back(valueOf(makePlan(workspace)));
  }
  return plans;
}

/// The matrix row that a family of groups shows: in each group, how many instances of every level its devices lie in,
/// each within one of the level above. Empty when the groups differ.
inline std::vector<std::int64_t> rowShownBy(const System& system,
                                            const std::vector<std::vector<std::int64_t>>& groups) {
  std::vector<std::int64_t> shown;
  for (const std::vector<std::int64_t>& group : groups) {
    std::vector<std::int64_t> row;
    std::int64_t below = system.deviceCount();
    std::size_t above = 1;
    for (const Level& level : system.levels) {
      below /= level.count;
      std::set<std::int64_t> instances;
      for (const std::int64_t device : group) instances.insert(device / below);
      if (instances.size() % above != 0) return {};
      row.push_back(static_cast<std::int64_t>(instances.size() / above));
      above = instances.size();
    }
    if (!shown.empty() && shown != row) return {};
    shown = row;
  }
  return shown;
}

inline std::vector<std::int64_t> rowOf(const ParallelismMatrix& matrix, std::size_t axis) {
  std::vector<std::int64_t> row;
  for (std::size_t level = 0; level < matrix.columns(); ++level) row.push_back(matrix.at(axis, level));
  return row;
}

}  // namespace p2::test
