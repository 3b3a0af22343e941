// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mapping/mapped_problem.h"
#include "plan/plan.h"
#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"
#include "strategy/strategy_step.h"

namespace p2::inline exporters {

/// A strategy to export. `graph` names the dimensions when there is one: its operators are the vertices.
struct StrategyReport {
  const StrategyProblem& problem;
  const ComputationGraph* graph = nullptr;
  const Strategy& strategy;
  const MappedProblem* mapped = nullptr;  ///< for a strategy on a mesh; null for others; needs `graph`
  std::optional<StrategyStep> step = {};  ///< lets a file be priced again; graphs only
};

/// The subject of an export, in the order of ExportFormat::write.
enum class ExportSubject { Plan, CostTables, Strategy };

/// "plan", "cost tables", "strategy".
[[nodiscard]] std::string_view nameOf(ExportSubject subject);

/// Export options; each format uses its own.
struct ExportOptions {
  /// Names of the nodes, in the order of the devices; empty for node0, node1, …
  std::vector<std::string> hosts = {};
  /// Names of the axes in the order in which the framework counts ranks, the slowest first; empty for the listed order.
  /// Axes of size 1 may be left out.
  std::vector<std::string> order = {};
};

/// Writes a subject, or explains in one sentence why this format cannot and which one can.
template <class Subject>
using Writer = Result<std::string> (*)(const Subject& subject, const ExportOptions& options);

/// An export format for people or other programs.
struct ExportFormat {
  std::string name;       ///< "csv"; subjects may share a name
  std::string extension;  ///< "csv"
  std::string description;
  /// The writer's parameter is the subject that the format applies to.
  std::variant<Writer<Plan>, Writer<StrategyProblem>, Writer<StrategyReport>> write;
  std::string runsOn = {};  ///< software that takes the file today; empty for files that people read

  [[nodiscard]] ExportSubject subject() const { return static_cast<ExportSubject>(write.index()); }
};

/// All formats, grouped by subject.
[[nodiscard]] const std::vector<ExportFormat>& exportFormats();
[[nodiscard]] std::vector<ExportFormat> exportFormats(ExportSubject subject);

/// The plan in one of the formats of its subject. Errors: another name, for which they are listed; a plan that the
/// format cannot express.
[[nodiscard]] Result<std::string> exportPlan(const Plan& plan, std::string_view format,
                                             const ExportOptions& options = {});
/// The cost tables, likewise.
[[nodiscard]] Result<std::string> exportCostTables(const StrategyProblem& problem, std::string_view format);
/// The strategy, likewise.
[[nodiscard]] Result<std::string> exportStrategy(const StrategyReport& report, std::string_view format);

/// The predicted run as a timeline in Chrome's trace format, for Perfetto: see writeChromeTrace(). Errors as
/// planTimeline().
[[nodiscard]] Result<std::string> planToChromeTrace(const Plan& plan, const ExportOptions& options);

// The program step by step, for people. Errors: more than kMostStoryDevices devices (program_story.h).

/// A web page that plays the steps, by itself: no other file, no network. Its data is the JSON text of the element
/// "story".
[[nodiscard]] Result<std::string> planToPage(const Plan& plan, const ExportOptions& options);
/// Both plans side by side on one clock, as A and B. Errors as for planToPage().
[[nodiscard]] Result<std::string> plansToPage(const Plan& plan, const Plan& rival);
/// A sheet to be printed: a row per step with its picture and rule, and blanks for what follows.
[[nodiscard]] Result<std::string> planToHandout(const Plan& plan, const ExportOptions& options);
/// The handout with its blanks filled in.
[[nodiscard]] Result<std::string> planToAnswers(const Plan& plan, const ExportOptions& options);
/// One handout of two plans on one system: step by step, A in the left column and B in the right one. `answers` fills
/// in the blanks. Errors as for planToHandout().
[[nodiscard]] Result<std::string> plansToHandout(const Plan& plan, const Plan& rival, bool answers);

/// One row per step and group; lists inside a cell are separated by blanks.
[[nodiscard]] std::string planToCsv(const Plan& plan);
/// A report for people: system, placement, program, and every step with its groups and predicted time.
[[nodiscard]] std::string planToText(const Plan& plan);

// The placement in the words of frameworks and launchers. Ranks that a launcher numbers node by node, as torchrun does,
// are the device numbers.

/// Python: a jax.sharding.Mesh over a permutation of jax.devices(). Any placement.
[[nodiscard]] Result<std::string> planToJax(const Plan& plan, const ExportOptions& options);
/// Python: a torch DeviceMesh over a list of ranks, and where torch sorts ranks into another order. Any placement.
[[nodiscard]] Result<std::string> planToTorch(const Plan& plan, const ExportOptions& options);
/// Python: AXLearn's HybridMeshShape. Errors: nodeSplit().
[[nodiscard]] Result<std::string> planToAxlearn(const Plan& plan, const ExportOptions& options);
/// MaxText's ici_…_parallelism and dcn_…_parallelism, one "name=value" a line. Errors: maxtextDegrees().
[[nodiscard]] Result<std::string> planToMaxtext(const Plan& plan, const ExportOptions& options);
/// Python: Megatron's initialize_model_parallel() with degrees and order, and the flags that say the same if there are
/// any. Errors: megatronDegrees().
[[nodiscard]] Result<std::string> planToMegatron(const Plan& plan, const ExportOptions& options);
/// TorchTitan's [parallelism], as its configuration file has it. Errors: torchtitanDegrees().
[[nodiscard]] Result<std::string> planToTorchtitan(const Plan& plan, const ExportOptions& options);
/// Open MPI's rankfile: where each rank of a framework that counts in the given order has to be started. Errors: hosts
/// that are not as many as nodes or are not names, an order that does not name the axes.
[[nodiscard]] Result<std::string> planToRankfile(const Plan& plan, const ExportOptions& options);
/// The file for SLURM_HOSTFILE with srun --distribution=arbitrary. Errors as planToRankfile().
[[nodiscard]] Result<std::string> planToSlurm(const Plan& plan, const ExportOptions& options);

// The program in the words of libraries and frameworks.

/// One row per step and rank: the colour and key that ncclCommSplit or MPI_Comm_split on all devices makes the step's
/// communicators of, colour −1 for ranks in none. Keys are positions in the ring, the root having 0.
[[nodiscard]] Result<std::string> planToCommSplit(const Plan& plan, const ExportOptions& options);
/// An algorithm for MSCCL on the communicator of one reduction group; every group runs the same. Errors: more
/// ranks or steps than MSCCL takes.
[[nodiscard]] Result<std::string> planToMsccl(const Plan& plan, const ExportOptions& options);
// The library's own choices for the communicators of the plan, as the nccl model predicts them. Errors: another model,
// no step with a choice.

/// The configuration file of NCCL's example tuner plugin (CSV): algorithm and protocol by collective, bytes, nodes and
/// ranks.
[[nodiscard]] Result<std::string> planToNcclTuner(const Plan& plan, const ExportOptions& options);
/// Rules for the tuner of NCCLX in torchcomms (JSON), by the bytes of one rank's part.
[[nodiscard]] Result<std::string> planToNcclxTuner(const Plan& plan, const ExportOptions& options);
/// NCCL_ALGO and NCCL_PROTO by collective for the plan's bytes, as one shell line; NCCL 2.24 or later. Errors also:
/// steps of one collective with different choices.
[[nodiscard]] Result<std::string> planToNcclEnvironment(const Plan& plan, const ExportOptions& options);
/// A Python script that runs the plan, and its goal's single collective for comparison, with torch.distributed
/// (torchrun.h). Errors: as makePlan().
[[nodiscard]] Result<std::string> planToTorchrun(const Plan& plan, const ExportOptions& options);
/// An execution plan of MSCCL++ for the communicator of one reduction group, in place; every group runs the same.
/// Errors: goals other than AllReduce, more operations or peers than MSCCL++ takes.
[[nodiscard]] Result<std::string> planToMscclpp(const Plan& plan, const ExportOptions& options);
/// The flags of shipping frameworks that run this program, or that there are none and what to do.
[[nodiscard]] Result<std::string> planToDegrees(const Plan& plan, const ExportOptions& options);

/// The weighted constraint satisfaction problem that toulbar2 reads: a variable per vertex, a cost function per vertex
/// and per edge, shared where the tables are. Costs are whole numbers of the step that the problem's name ends with, as
/// in "alexnet_p=8_step=0.25" (costStep()); values are the positions of configurations.
[[nodiscard]] std::string strategyProblemToWcsp(const StrategyProblem& problem);

/// {"format": "p2-strategy", …}: cost, and every vertex and edge with its choice and cost; schema in
/// resources/schemas.
[[nodiscard]] std::string strategyToJson(const StrategyReport& report);
/// One row per vertex: its name, configuration ("m=4 k=2"), devices and cost; then one, without devices and cost, for
/// each thing that no cost counts ("not priced") or that is taken for granted ("assumed").
[[nodiscard]] std::string strategyToCsv(const StrategyReport& report);

}  // namespace p2::inline exporters
