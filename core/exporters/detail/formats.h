// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/exporters: the writers of plans and the table of all formats.
#pragma once

#include "exporters/exporters.h"
#include "graphs/strategy_json.h"

namespace p2::inline exporters {

/// The predicted run as a timeline in Chrome's trace format, for Perfetto: see writeChromeTrace(). Errors as
/// planTimeline().
[[nodiscard]] Result<std::string> planToChromeTrace(const Plan& plan, const ExportOptions& options);

// The program step by step, for people. Errors: more than kMostStoryDevices devices (program_story.h).

/// A web page that plays the steps, by itself: no other file, no network. Its data is the JSON text of the element
/// "story".
[[nodiscard]] Result<std::string> planToPage(const Plan& plan, const ExportOptions& options);
/// A sheet to be printed: a row per step with its picture and rule, and blanks for what follows.
[[nodiscard]] Result<std::string> planToHandout(const Plan& plan, const ExportOptions& options);
/// The handout with its blanks filled in.
[[nodiscard]] Result<std::string> planToAnswers(const Plan& plan, const ExportOptions& options);

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

/// Cost tables as p2 strategy reads them.
[[nodiscard]] inline std::string costTablesToJson(const StrategyProblem& problem) {
  return strategyFileToJson({problem, {}, {}});
}

/// A writer out of a function that needs no options and never fails.
template <auto kWrite, class Subject>
[[nodiscard]] Result<std::string> always(const Subject& subject, const ExportOptions&) {
  return kWrite(subject);
}

/// One row for every format, grouped by subject.
[[nodiscard]] inline std::vector<ExportFormat> formatRows() {
  return {
      {"json", "json", "the plan file itself", always<planToJson, Plan>, "p2 run, p2-runner"},
      {"csv", "csv", "one row per step and group, for spreadsheets", always<planToCsv, Plan>},
      {"text", "txt", "a report for people", always<planToText, Plan>},
      {"jax", "py", "the placement as a jax.sharding.Mesh over a list of devices", planToJax, "JAX"},
      {"torch", "py", "the placement as a torch DeviceMesh over a list of ranks", planToTorch, "PyTorch 2.2 or later"},
      {"maxtext", "txt", "the placement as MaxText's ici and dcn degrees", planToMaxtext, "MaxText"},
      {"axlearn", "py", "the placement as AXLearn's HybridMeshShape", planToAxlearn, "AXLearn"},
      {"megatron", "py", "the placement as Megatron's degrees and order, if an order gives it", planToMegatron,
       "Megatron-LM"},
      {"torchtitan", "toml", "the placement as TorchTitan's degrees, if its order gives it", planToTorchtitan,
       "TorchTitan"},
      {"rankfile", "txt", "the node of every rank for Open MPI, with the framework unchanged", planToRankfile,
       "Open MPI 4 and 5"},
      {"slurm", "txt", "the SLURM_HOSTFILE of srun --distribution=arbitrary, a host per rank", planToSlurm, "Slurm"},
      {"comm-split", "csv", "the program as colour and key of ncclCommSplit, by step and rank", planToCommSplit,
       "NCCL 2.18 or later, MPI"},
      {"msccl-xml", "xml", "the program as an algorithm for MSCCL", planToMsccl,
       "microsoft/msccl; RCCL no longer has it"},
      {"mscclpp-json", "json", "an execution plan of MSCCL++: AllReduce, ReduceScatter, AllGather", planToMscclpp,
       "MSCCL++ (mscclpp.Executor)"},
      {"nccl-tuner", "csv", "algorithm, protocol and channels by size, for NCCL's example tuner plugin",
       planToNcclTuner, "NCCL with its example tuner plugin"},
      {"ncclx-tuner", "json", "predicted algorithm and protocol by size, for the tuner of NCCLX", planToNcclxTuner,
       "torchcomms with NCCLX"},
      {"nccl-env", "sh", "NCCL_ALGO and NCCL_PROTO for the plan's size, if one choice suffices", planToNcclEnvironment,
       "NCCL 2.24 or later"},
      {"torchrun", "py", "a script that runs, checks and times the program with torch.distributed", planToTorchrun,
       "PyTorch 1.13 or later"},
      {"degrees", "txt", "ZeRO and FSDP flags of frameworks that run the program, if any do", planToDegrees},
      {"chrome-trace", "json", "the predicted run as a timeline, for Perfetto and chrome://tracing", planToChromeTrace,
       "Perfetto, chrome://tracing"},
      {"page", "html", "a web page that plays the program step by step", planToPage},
      {"handout", "html", "a handout: a row per step with its rule and blanks to fill", planToHandout},
      {"handout-answers", "html", "the handout with its blanks filled in", planToAnswers},
      {"tables", "json", "cost tables as p2 strategy reads them", always<costTablesToJson, StrategyProblem>,
       "p2 strategy"},
      {"wcsp", "wcsp", "cost tables for toulbar2, in whole numbers of the step its name ends with",
       always<strategyProblemToWcsp, StrategyProblem>, "toulbar2"},
      {"json", "json", "every vertex and edge with its cost", always<strategyToJson, StrategyReport>},
      {"csv", "csv", "one row per vertex, for spreadsheets", always<strategyToCsv, StrategyReport>},
  };
}

}  // namespace p2::inline exporters
