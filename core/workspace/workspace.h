// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "collective/goal.h"
#include "cost/cost_options.h"
#include "placement/parallelism_matrix.h"
#include "synthesis/state_graph.h"
#include "workload/workload.h"
#include "workspace/planned_reduction.h"
#include "workspace/strategy_choice.h"
#include "workspace/training_choice.h"

namespace p2::inline workspace {

/// Options of synthesis and prices of programs.
struct ExploreOptions {
  Goal goal = kAllReduceGoal;
  RuleSet rules = RuleSet::Paper;
  int sizeLimit = 5;  ///< steps of the longest program, 1 … kMostSizeLimit
  CostOptions cost;
  friend bool operator==(const ExploreOptions&, const ExploreOptions&) = default;
};

inline constexpr int kMostSizeLimit = 44;  ///< L (L + 3) / 2, the longest program over kMostSynthesisLevels levels
inline constexpr int kMostRepeat = 1'000'000;

/// The document: everything the user chose, nothing that follows from it.
struct Workspace {
  System system;
  std::vector<Axis> axes;
  ExploreOptions options;
  ParallelismMatrix matrix;  ///< the chosen placement; empty for the best one
  std::string program;       ///< the chosen program, in DSL form; empty for the best one
  std::string notes;         ///< free text of the user's
  StrategyChoice strategy;   ///< no part of what exploreWorkspace() answers
  TrainingChoice training;   ///< no part of what exploreWorkspace() answers: the question to planTraining()
  /// The communication of a training step, over the workspace's axes: see checkWorkload(). No part of what
  /// exploreWorkspace() answers. Its own `source` is empty: the document's has the original text.
  std::optional<Workload> workload;
  /// The plan that axes, matrix and workload are from; none where they are the user's own.
  std::optional<PlannedReduction> planned;
  /// The JSON text this was read from, so that keys we do not know survive a round trip; empty for a new document.
  std::string source;
  friend bool operator==(const Workspace&, const Workspace&) = default;
};

/// The workspace with another system. Model and algorithm become that system's own (defaultModel(), defaultAlgorithm())
/// where they were the former system's own; other choices stay.
[[nodiscard]] Workspace withSystem(Workspace workspace, System system);
/// The workspace with another goal. Only a ReduceScatter is scattered over some axes alone, so others replicate along
/// none.
[[nodiscard]] Workspace withGoal(Workspace workspace, const Goal& goal);
/// The document's reduction, and the document with another one.
[[nodiscard]] DocumentReduction reductionOf(const Workspace& workspace);
[[nodiscard]] Workspace withReduction(Workspace workspace, DocumentReduction reduction);
/// Name of singleProgram() in lists: "AllReduce", or "RS·AR" where a ReduceScatter leaves replicas.
[[nodiscard]] std::string singleNameOf(const Workspace& workspace);
/// Whether every option is within its range.
[[nodiscard]] Result<void> checkOptions(const ExploreOptions& options);
/// Whether the workload goes over axes that are there, of their sizes; axes of size 1 may be missing.
[[nodiscard]] Result<void> checkWorkloadAxes(const Workload& workload, const std::vector<Axis>& axes);
/// Everything that can be wrong with a workspace before any work is done: parts of the system, axes, reduction,
/// options, matrix. What takes a list of all links is left to exploreWorkspace(), so that this can be asked at every
/// keystroke. The workload is no part of it: while somebody changes the axes it does not fit them, and nothing else
/// need wait.
[[nodiscard]] Result<void> checkWorkspace(const Workspace& workspace);

/// The workspace file: {"format": "p2-workspace", "version": 1, …}; schema in resources/schemas. A plan file opens as
/// the workspace it was made from. A document may be put down before it is finished: whether one can work with it
/// checkWorkspace() says. Errors name the JSON pointer of the mistake, or the line of a syntax error.
[[nodiscard]] Result<Workspace> workspaceFromJson(std::string_view text, std::stop_token stop = {});
[[nodiscard]] std::string workspaceToJson(const Workspace& workspace);

/// A system from an argument: a preset, a synthetic description (parseSystem), or a path to a system, workspace or plan
/// file, or to anything that importTopology() reads. validated(). Any other argument that looks like a path (has
/// a '/' outside a bandwidth, or ends in .json, or exists) is read as one.
[[nodiscard]] Result<System> systemFromArgument(const std::string& argument);
/// The system file: {"format": "p2-system", "version": 1, …}; workspace and plan files give their system.
[[nodiscard]] Result<System> systemFromJson(std::string_view text, std::stop_token stop = {});
[[nodiscard]] std::string systemToJson(const System& system);

}  // namespace p2::inline workspace
