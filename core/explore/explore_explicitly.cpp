// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>

#include "explore/explore.h"
#include "placement/containment.h"
#include "synthesis/execution.h"

namespace p2::inline explore {
namespace {

Result<PlacementResult> placementResult(const Workspace& workspace, const Topology& topology,
                                        const ParallelismMatrix& matrix, HierarchyKind kind) {
  const Placement placement(workspace.axes, matrix);
  PlacementResult result;
  result.matrix = matrix;
  result.hierarchy = std::make_shared<SynthesisHierarchy>(workspace.system, placement, kind);
  P2_TRY_ASSIGN(const auto programs, enumerateExplicitly(placement, *result.hierarchy, workspace.options.rules,
                                                         workspace.options.sizeLimit, workspace.options.goal));
  for (const Program& program : programs) {
    P2_TRY_ASSIGN(auto entry, evaluateProgram(workspace, topology, placement, *result.hierarchy, program));
    result.programs.push_back(std::move(entry));
  }
  rank(result);
  result.programCount = result.programs.size();
  for (const ProgramResult& program : result.programs) {
    result.bestSeconds = result.bestSeconds > 0 ? std::min(result.bestSeconds, program.seconds) : program.seconds;
  }

  const SynthesisHierarchy reduction(workspace.system, placement);
  P2_TRY_ASSIGN(const auto baseline, evaluateProgram(workspace, topology, placement, reduction,
                                                     singleProgram(reduction, workspace.options.goal)));
  result.singleSeconds = baseline.seconds;
  result.singleSteps = baseline.steps;
  result.limit = placementLowerBound(topology, placement, workspace.options.goal.single, workspace.options.cost);
  return result;
}

void keepBest(Exploration& exploration, std::size_t best) {
  const auto order = rankedPrograms(exploration);
  std::vector<std::size_t> kept(exploration.placements.size(), 0);
  for (std::size_t i = 0; i < std::min(best, order.size()); ++i) ++kept[order[i].first];
  for (std::size_t i = 0; i < kept.size(); ++i) exploration.placements[i].programs.resize(kept[i]);
}

}  // namespace

Result<std::shared_ptr<const Exploration>> exploreExplicitly(const Workspace& workspace, HierarchyKind kind,
                                                             std::size_t best) {
  P2_TRY_ASSIGN(auto system, validated(workspace.system));
  const auto exploration = std::make_shared<Exploration>();
  exploration->workspace = workspace;
  exploration->topology = std::make_shared<const Topology>(std::move(system));
  const auto add = [&](const ParallelismMatrix& matrix) -> Result<void> {
    P2_TRY_ASSIGN(auto result, placementResult(workspace, *exploration->topology, matrix, kind));
    exploration->placementCount += 1;
    exploration->programCount += result.programCount;
    exploration->placements.push_back(std::move(result));
    return {};
  };
  if (!workspace.matrix.empty()) {
    P2_TRY(add(workspace.matrix));
  } else {
    MatrixEnumerator enumerator = matricesOf(workspace.system, workspace.axes);
    while (enumerator.next()) {
      P2_TRY(add(enumerator.matrix()));
    }
  }
  exploration->bestPlacement = static_cast<int>(rankedPlacements(*exploration).front());
  if (best > 0) keepBest(*exploration, best);
  noteAlgorithms(*exploration);
  return std::shared_ptr<const Exploration>(exploration);
}

}  // namespace p2::inline explore
