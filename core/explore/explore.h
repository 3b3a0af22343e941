// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "cost/bounds/lower_bound.h"
#include "cost/overlap.h"
#include "cost/pattern_pricer.h"
#include "synthesis/ranking.h"
#include "workspace/workspace.h"

namespace p2::inline explore {

/// A program of a placement with its price.
struct ProgramResult {
  Program program;
  double seconds = 0;  ///< Σ steps
  std::vector<StepCost> steps;
  std::optional<Overlapped> overlapped = {};  ///< where CostOptions::overlap asks for it
  /// The time by which programs are ranked: of `overlapped` if it is set.
  [[nodiscard]] double rankedSeconds() const { return overlapped ? overlapped->seconds : seconds; }
};

/// One placement with its programs, cheapest first (ties: fewer steps, then instruction order). Where steps overlap,
/// the kept ones by that time.
struct PlacementResult {
  ParallelismMatrix matrix;
  std::shared_ptr<const SynthesisHierarchy> hierarchy;  ///< ReductionAxes
  std::shared_ptr<const StateGraph> graph;
  Count programCount;                             ///< all of them, listed or not
  bool ranked = true;                             ///< false if they could only be counted, see ExploreScope::countOnly
  std::vector<ProgramResult> programs;            ///< the cheapest ones, as many as asked for
  double bestSeconds = 0;                         ///< singleSeconds if they are not ranked
  std::size_t bestSteps = 0;                      ///< steps of the best ranked program; else of the single collective
  std::optional<Overlapped> bestOverlapped = {};  ///< best of the kept programs, where CostOptions::overlap asks for it
  double singleSeconds = 0;                       ///< of singleProgram(): one collective over the whole reduction group
  std::vector<StepCost> singleSteps;
  LowerBound limit;  ///< no program of this placement is faster; zero unless asked for, see ExploreScope::limits
  /// The time by which placements are ranked: of `bestOverlapped` if it is set.
  [[nodiscard]] double rankedBestSeconds() const { return bestOverlapped ? bestOverlapped->seconds : bestSeconds; }
  /// Speed-up of the best program, as it is ranked, over that collective; 1 for ties.
  [[nodiscard]] double speedup() const { return gainOver(singleSeconds, rankedBestSeconds()); }
};

/// The answer to a workspace: its placements, their programs, and which of them are best.
struct Exploration {
  Workspace workspace;                       ///< the question
  std::shared_ptr<const Topology> topology;  ///< topology of its system, with the checked system
  std::vector<PlacementResult> placements;   ///< in enumeration order
  Count placementCount;
  Count programCount;              ///< over all placements
  int bestPlacement = 0;           ///< index into placements of the best program of all, see ProgramTie
  int defaultPlacement = -1;       ///< index of the row-major placement, the frameworks' default, if it is one of these
  std::set<Algorithm> algorithms;  ///< by which the steps of kept programs and of single collectives run
};

/// Largest number of programs of a placement where steps overlap: see ExploreScope::bestOverall.
inline constexpr std::size_t kMostOverlapping = 10'000;

/// The parts of the answer that are kept.
struct ExploreScope {
  std::size_t programsPerPlacement = 1000;  ///< number of cheapest programs kept per placement
  /// If > 0, keeps only this many cheapest programs over all placements. With overlapping steps, of at most
  /// kMostOverlapping programs of each.
  std::size_t bestOverall = 0;
  double within = -1;  ///< if >= 0, only programs at most this share more expensive than the best of all
  std::size_t mostPlacements = 20'000;  ///< more are refused with their number
  /// Keeps no programs, and also counts those whose graph is too large to rank them: the best is then unknown.
  bool countOnly = false;
  bool limits = false;  ///< find the limit of every placement
};

/// Enumerates the placements of a workspace (only its matrix, if `onlyMatrix`), synthesizes and prices their
/// programs. Serves the CLI and the explorer. Errors of checkWorkspace() and validated(), too large,
/// cancelled.
[[nodiscard]] Result<std::shared_ptr<const Exploration>> exploreWorkspace(const Workspace& workspace,
                                                                          const ExploreScope& scope,
                                                                          bool onlyMatrix = false,
                                                                          std::stop_token stop = {},
                                                                          const Progress& progress = {});
/// exploreWorkspace() with the topology of the workspace's system given, and the routes that it knows.
[[nodiscard]] Result<std::shared_ptr<const Exploration>> exploreOn(std::shared_ptr<const Topology> topology,
                                                                   const Workspace& workspace,
                                                                   const ExploreScope& scope, bool onlyMatrix = false,
                                                                   std::stop_token stop = {},
                                                                   const Progress& progress = {});

/// As exploreWorkspace(), for the synthesis hierarchies that P² compares itself with (paper §2.5): every program, by
/// search over bit matrices. `best` > 0 keeps this many cheapest over all placements. Errors: as enumerateExplicitly().
[[nodiscard]] Result<std::shared_ptr<const Exploration>> exploreExplicitly(const Workspace& workspace,
                                                                           HierarchyKind kind, std::size_t best);

/// The inputs of a hierarchy's state graph.
struct SynthesisShape {
  std::vector<std::int64_t> sizes;
  LevelSet replicated = 0;
  friend auto operator<=>(const SynthesisShape&, const SynthesisShape&) = default;
};
/// The shape whose state graph a hierarchy uses. Under `paper` the graph depends on the number of levels only, so
/// hierarchies with equally many levels share one, with sizes of 2.
[[nodiscard]] SynthesisShape synthesisShape(const SynthesisHierarchy& hierarchy, RuleSet rules);

/// Sets Exploration::algorithms from the kept programs.
void noteAlgorithms(Exploration& exploration);

/// The one order of programs, of all commands and pages: cheapest first, and among programs that take the same time
/// (nearlyEqual()) those with fewer steps, then placements in enumeration order, then programs in instruction order.
/// The best program is the first in this order, however little it gains; openChoices() lists the comparisons that
/// the intervals leave open. A ProgramTie orders programs that take the same time.
struct ProgramTie {
  std::size_t steps = 0;
  std::size_t placement = 0;  ///< index in enumeration order
  std::size_t program = 0;    ///< index in the order of its placement
  friend auto operator<=>(const ProgramTie&, const ProgramTie&) = default;
};

/// Sorts the programs of a placement by rankedSeconds() and sets the best.
void rank(PlacementResult& result);

/// Indices of the placements in the order of their best programs; the first is Exploration::bestPlacement.
[[nodiscard]] std::vector<std::size_t> rankedPlacements(const Exploration& exploration);

/// The kept programs of all placements as (placement, program) indices, best first.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> rankedPrograms(const Exploration& exploration);

/// Prices one program of one placement over one hierarchy of it, regardless of its rank; for invalid programs the error
/// is the reason; cancelled. The topology must belong to the workspace's system.
[[nodiscard]] Result<ProgramResult> evaluateProgram(const Workspace& workspace, const Topology& topology,
                                                    const Placement& placement, const SynthesisHierarchy& hierarchy,
                                                    const Program& program, const std::stop_token& stop = {});
/// As above, over the reduction hierarchy of a matrix.
[[nodiscard]] Result<ProgramResult> evaluateProgram(const Workspace& workspace, const ParallelismMatrix& matrix,
                                                    const Program& program);

}  // namespace p2::inline explore
