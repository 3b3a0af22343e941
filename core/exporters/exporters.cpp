// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/exporters.h"

#include <algorithm>
#include <array>

#include "graphs/strategy_json.h"

namespace p2::inline exporters {
namespace {

std::string costTablesToJson(const StrategyProblem& problem) { return strategyFileToJson({problem, {}, {}}); }

/// A writer out of a function that needs no options and never fails.
template <auto kWrite, class Subject>
Result<std::string> always(const Subject& subject, const ExportOptions&) {
  return kWrite(subject);
}

template <class Subject>
Result<std::string> exported(const Subject& subject, std::string_view name, std::string_view unknown,
                             const ExportOptions& options = {}) {
  std::string known;
  for (const ExportFormat& format : exportFormats()) {
    const auto* write = std::get_if<Writer<Subject>>(&format.write);
    if (write == nullptr) continue;
    if (format.name == name) return (*write)(subject, options);
    known += (known.empty() ? "" : ", ") + format.name;
  }
  return Error{"\"" + std::string(name) + "\" is not " + std::string(unknown) + "; use one of " + known};
}

}  // namespace

std::string_view nameOf(ExportSubject subject) {
  constexpr std::array<std::string_view, 3> kNames{"plan", "cost tables", "strategy"};
  return kNames[static_cast<std::size_t>(subject)];
}

const std::vector<ExportFormat>& exportFormats() {
  static const std::vector<ExportFormat> kFormats{
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
  return kFormats;
}

std::vector<ExportFormat> exportFormats(ExportSubject subject) {
  std::vector<ExportFormat> formats;
  std::copy_if(exportFormats().begin(), exportFormats().end(), std::back_inserter(formats),
               [&](const ExportFormat& format) { return format.subject() == subject; });
  return formats;
}

Result<std::string> exportPlan(const Plan& plan, std::string_view format, const ExportOptions& options) {
  return exported(plan, format, "an export format", options);
}

Result<std::string> exportCostTables(const StrategyProblem& problem, std::string_view format) {
  return exported(problem, format, "an export format of cost tables");
}

Result<std::string> exportStrategy(const StrategyReport& report, std::string_view format) {
  return exported(report, format, "a format of strategies");
}

}  // namespace p2::inline exporters
