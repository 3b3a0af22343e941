// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/launch_files.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/units.h"
#include "placement/realisation.h"
#include "step/framework_orders.h"
#include "training/memory.h"
#include "training/planner.h"
#include "training_answer/training_request.h"
#include "workload/generate/generator.h"

namespace p2::inline training_answer {
namespace {

constexpr std::size_t kKeyWidth = 20;
constexpr std::size_t kPartWidth = 32;

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string line(const std::string& key, const std::string& value) { return padded(key, kKeyWidth) + value + "\n"; }

std::string bytes(double count) { return formatBytes(Bytes(count)); }

std::string ordersOf(const PlannedConfiguration& planned) {
  if (planned.needsRankFile()) return "a rank file puts the ranks on " + planned.matrix.text();
  std::string all;
  for (const std::string& order : planned.orders) all += (all.empty() ? "" : ", ") + order;
  return all.empty() ? "any" : all;
}

std::string memoryOf(const TrainingQuestion& question, const PlannedConfiguration& planned) {
  const TrainingMemory& memory = planned.memory;
  const auto known = trainingAcceleratorOf(question.system);
  const double has = known.ok() ? known->memory : question.system.accelerator.memory;
  const double reserve = question.reserve > 0 ? question.reserve : defaultMemoryReserve(has);
  std::string text = line(
      "Memory", "needs " + bytes(memory.total()) + " + " + bytes(reserve) +
                    " kept free = " + bytes(memory.total() + reserve) + " of " + bytes(has) + " on the fullest device" +
                    (planned.configuration.plan.pipeline > 1 ? ", of stage " + std::to_string(memory.stage) : ""));
  return text + line("", "parameters " + bytes(memory.parameters) + ", gradients " + bytes(memory.gradients) +
                             ", optimizer " + bytes(memory.optimizer) + ", activations " + bytes(memory.activations) +
                             ", buffers " + bytes(memory.buffers));
}

std::string timeOf(const StepEstimate& estimate) {
  const StepParts& parts = estimate.parts;
  std::vector<std::pair<std::string, double>> all{{"computation at the peak", parts.compute},
                                                  {"kernels beyond the peak", parts.inefficiency},
                                                  {"recomputation", parts.recompute},
                                                  {"bubble of the pipeline", parts.bubble},
                                                  {"imbalance", parts.imbalance},
                                                  {"optimizer", parts.optimizer},
                                                  {"host", parts.host}};
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    all.emplace_back("exposed communication, " + std::string(kExposedAxes[axis]), parts.exposed[axis]);
  }
  std::erase_if(all, [](const auto& part) { return part.second <= 0; });
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = "\nWhere the time goes\n";
  for (const auto& [name, seconds] : all) {
    text += "  " + padded(name, kPartWidth) + padded(formatSeconds(seconds), 10) +
            formatPercent(seconds / estimate.seconds) + "\n";
  }
  return text;
}

/// A configuration as a page of text for people: the question, degrees, rank order, step time with its interval, speed,
/// memory of the fullest device, and where the time goes, most first.
std::string stepReport(const TrainingQuestion& question, const PlannedConfiguration& planned) {
  const StepEstimate& estimate = planned.estimate;
  const TrainingPlan& plan = planned.configuration.plan;
  const std::int64_t devices = question.system.deviceCount();
  const auto known = trainingAcceleratorOf(question.system);
  const ProductPrecision precision =
      known.ok() ? runnableOn(planned.configuration, *known).precision : question.precision;
  std::string text = "Training step on " + question.system.name + ": " + countedText(devices, "device") + " " +
                     question.system.accelerator.type + "\n\n";
  text += line("Step of", countedText(question.batch, "sequence") + " of " + countedText(question.sequence, "token") +
                              ", products in " + std::string(nameOf(precision)));
  text += line("Configuration", describe(planned.configuration) + " with " + std::string(planned.framework->label));
  text += line("Microbatches", std::to_string(plan.microbatches) + " of " + countedText(plan.microbatch, "sequence"));
  if (plan.pipeline > 1) text += line("Layers of stages", layoutText(question.model, planned.configuration));
  text += line("Order of ranks", ordersOf(planned));
  text += "\n" + line("Time", formatSeconds(estimate.seconds) + "; 80 % interval " + formatSeconds(estimate.low) +
                                  " to " + formatSeconds(estimate.high));
  text += line("Speed", formatPercent(estimate.mfu) + " MFU, " +
                            std::to_string(std::llround(estimate.tokensPerSecond / static_cast<double>(devices))) +
                            " tokens/s on each device");
  return text + memoryOf(question, planned) + timeOf(estimate);
}

/// Where every rank of a framework starts.
struct RankStarts {
  std::vector<std::int64_t> nodes;   ///< by rank
  std::vector<std::int64_t> slots;   ///< device inside the node, by rank
  std::int64_t perNode = 1;          ///< devices
  std::vector<std::int64_t> locals;  ///< devices of a node in the order of its ranks, the same on every node
  std::string order;                 ///< order of the axes, the last fastest: "pipeline-data-tensor"

  /// Whether local ranks are the device numbers of their node.
  [[nodiscard]] bool keepsDevices() const;
  /// Nodes in the order of the ranks where every node has a run of them; empty where ranks of several nodes alternate.
  [[nodiscard]] std::vector<std::int64_t> nodeOrder() const;
};

/// The framework's default order of the axes, slowest first.
Result<AxisOrder> defaultOrder(const System& system, const PlannedConfiguration& planned) {
  const std::string_view name = planned.framework->orders.front();
  for (const FrameworkOrder& order :
       frameworkOrders(system, planned.axes, std::vector<double>(planned.axes.size(), 0))) {
    if (order.name != name) continue;
    AxisOrder made;
    for (const std::string& axis : order.axes) {
      const auto found =
          std::find_if(planned.axes.begin(), planned.axes.end(), [&](const Axis& each) { return each.name == axis; });
      if (found != planned.axes.end()) made.push_back(static_cast<std::size_t>(found - planned.axes.begin()));
    }
    if (made.size() == planned.axes.size()) return made;
  }
  return Error{std::string(planned.framework->label) + " has no order of ranks for the axes of the plan"};
}

bool RankStarts::keepsDevices() const { return std::is_sorted(locals.begin(), locals.end()); }

std::vector<std::int64_t> RankStarts::nodeOrder() const {
  std::vector<std::int64_t> made;
  const auto size = static_cast<std::size_t>(perNode);
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    if (rank % size == 0) made.push_back(nodes[rank]);
    if (nodes[rank] != made.back()) return {};
  }
  return made;
}

/// The starts of a plan that needs a rank file, with ranks counted in the framework's default order. Errors: that order
/// has no place for an axis.
Result<RankStarts> rankStarts(const System& system, const PlannedConfiguration& planned) {
  RankStarts starts;
  starts.perNode = devicesPerNode(system);
  P2_TRY_ASSIGN(const auto order, defaultOrder(system, planned));
  starts.order = orderText(planned.axes, order);
  for (const Device device : devicesByRank({planned.axes, planned.matrix}, order)) {
    starts.nodes.push_back(device.value() / starts.perNode);
    starts.slots.push_back(device.value() % starts.perNode);
    if (starts.nodes.back() == 0) starts.locals.push_back(starts.slots.back());
  }
  return starts;
}

Result<void> fitHosts(std::vector<std::string>& hosts, std::int64_t nodes) {
  if (hosts.empty()) {
    for (std::int64_t node = 0; node < nodes; ++node) hosts.push_back("node" + std::to_string(node));
  }
  if (static_cast<std::int64_t>(hosts.size()) == nodes) return {};
  return Error{countedText(hosts.size(), "host") + " for " + countedText(nodes, "node") +
                   "; name every node once, in the order of the devices",
               "hosts"};
}

std::string listed(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

const std::string& hostOf(const std::vector<std::string>& hosts, std::int64_t node) {
  return hosts[static_cast<std::size_t>(node)];
}

LaunchFile openMpiHosts(const std::vector<std::string>& hosts, std::int64_t perNode,
                        const std::optional<RankStarts>& starts) {
  std::string text;
  if (!starts) {
    for (const std::string& host : hosts) text += host + " slots=" + std::to_string(perNode) + "\n";
    return {"openmpi", "Hostfile for Open MPI", "For mpirun --hostfile", "hostfile", text, {}};
  }
  text = "# mpirun --rankfile FILE, from Open MPI 5 on mpirun --map-by rankfile:file=FILE; ranks count through " +
         starts->order + ", the last fastest.\n";
  if (!starts->keepsDevices()) {
    text += "# GPUs by local rank: CUDA_VISIBLE_DEVICES=" + listed(starts->locals) + " on every node.\n";
  }
  for (std::size_t rank = 0; rank < starts->nodes.size(); ++rank) {
    text += "rank " + std::to_string(rank) + "=" + hostOf(hosts, starts->nodes[rank]) +
            " slot=" + std::to_string(starts->slots[rank]) + "\n";
  }
  return {"openmpi", "Rank file for Open MPI", "For mpirun --rankfile", "rankfile", text, {}};
}

LaunchFile slurmHosts(const std::vector<std::string>& hosts, std::int64_t perNode,
                      const std::optional<RankStarts>& starts) {
  std::string text;
  if (starts) {
    text =
        "# SLURM_HOSTFILE=<this file> srun --distribution=arbitrary --ntasks=" + std::to_string(starts->nodes.size()) +
        (starts->keepsDevices() ? std::string() : " --gpu-bind=map_gpu:" + listed(starts->locals)) + "\n";
    for (const std::int64_t node : starts->nodes) text += hostOf(hosts, node) + "\n";
  } else {
    for (const std::string& host : hosts) {
      for (std::int64_t slot = 0; slot < perNode; ++slot) text += host + "\n";
    }
  }
  return {"slurm", "Hosts for Slurm", "For SLURM_HOSTFILE with srun --distribution=arbitrary", "slurm-hosts", text, {}};
}

/// The parts of a framework's launch text, see LaunchForm.
struct LaunchText {
  std::string file;   ///< empty if there are only arguments
  std::string flags;  ///< arguments, one a line; empty if there is only a file
};

LaunchText partsOf(const TrainingFramework& framework, std::string text) {
  switch (framework.launchForm) {
    case LaunchForm::Flags:
      return {{}, std::move(text)};
    case LaunchForm::FileAndFlags: {
      const std::size_t at = text.find("\n--") + 1;
      return {text.substr(0, at), text.substr(at)};
    }
    case LaunchForm::File:
    case LaunchForm::Settings:
      break;
  }
  return {std::move(text), {}};
}

/// `text` with `before` in front of every line.
std::string indented(std::string_view text, std::string_view before) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.append(before).append(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// A script with all arguments in an array: bash removes quotes there, but not in the output of $(cat FILE).
std::string torchrunScript(const TrainingFramework& framework, const LaunchText& parts,
                           const std::vector<std::string>& hosts, std::int64_t perNode) {
  std::string text = "#!/usr/bin/env bash\n# On every node; NODE_RANK counts the hosts in this order:\n";
  for (std::size_t node = 0; node < hosts.size(); ++node)
    text += "# " + std::to_string(node) + " " + hosts[node] + "\n";
  if (framework.launchForm == LaunchForm::Settings) {
    text += "# YOUR_SCRIPT sets:\n" + indented(parts.file, "#   ");
  } else if (!parts.file.empty()) {
    text += "cat > " + std::string(framework.launchFile) + " <<'END'\n" + parts.file + "END\n";
  }
  if (!parts.flags.empty()) text += "flags=(\n" + indented(parts.flags, "  ") + ")\n";
  text += "torchrun --nnodes " + std::to_string(hosts.size()) + " --nproc-per-node " + std::to_string(perNode) +
          " --node-rank \"$NODE_RANK\" --master-addr " + hosts.front() + " --master-port 29500 YOUR_SCRIPT";
  return text + (parts.flags.empty() ? "\n" : " \"${flags[@]}\"\n");
}

/// torchrun numbers the ranks of a node in sequence.
LaunchFile torchrunFile(const TrainingFramework& framework, const LaunchText& parts,
                        const std::vector<std::string>& hosts, std::int64_t perNode,
                        const std::optional<RankStarts>& starts) {
  LaunchFile file{"torchrun", "torchrun script", "Starts one process per device on every node", "launch.sh", {}, {}};
  if (framework.launchForm == LaunchForm::File) {
    file.problem = std::string(framework.label) + " has a start of its own, which reads " +
                   std::string(framework.launchFile) + "; torchrun does not start it";
    file.text = "# " + file.problem + "\n";
    return file;
  }
  if (!starts) {
    file.text = torchrunScript(framework, parts, hosts, perNode);
    return file;
  }
  std::vector<std::string> inOrder;
  for (const std::int64_t node : starts->nodeOrder()) inOrder.push_back(hostOf(hosts, node));
  if (inOrder.empty() || !starts->keepsDevices()) {
    file.problem =
        "the plan needs a rank file, and torchrun numbers the ranks of a node in sequence; start it with Slurm or Open "
        "MPI";
    file.text = "# " + file.problem + "\n";
    return file;
  }
  file.text = torchrunScript(framework, parts, inOrder, perNode);
  return file;
}

std::vector<LaunchFile> hostFiles(const System& system, const PlannedConfiguration& planned, const LaunchText& parts,
                                  const std::vector<std::string>& hosts) {
  const std::int64_t perNode = devicesPerNode(system);
  std::optional<RankStarts> starts;
  std::string problem;
  if (planned.needsRankFile()) {
    auto found = rankStarts(system, planned);
    if (found.ok()) {
      starts = std::move(found).value();
    } else {
      problem = found.error().message;
    }
  }
  std::vector<LaunchFile> files{openMpiHosts(hosts, perNode, starts), slurmHosts(hosts, perNode, starts),
                                torchrunFile(*planned.framework, parts, hosts, perNode, starts)};
  if (problem.empty()) return files;
  for (LaunchFile& file : files) {
    file.problem = problem;
    file.text = "# " + problem + "\n";
  }
  return files;
}

std::vector<LaunchFile> optionFiles(const TrainingFramework& framework, const LaunchText& parts) {
  std::string note =
      "Options that decide the time and the memory of a step. Add data, paths, learning rates and what changes "
      "neither, such as the scaling of rotary positions";
  // CHANGELOG.md of NVIDIA/Megatron-LM.
  if (parts.flags.find("--pipeline-model-parallel-layout") != std::string::npos) {
    note += ". --pipeline-model-parallel-layout needs Megatron-Core 0.13 or later";
  }
  const std::string file(framework.launchFile);
  if (parts.flags.empty()) return {{"flags", "Launch options", std::move(note), file, parts.file, {}}};
  std::vector<LaunchFile> files{{"flags", "Launch flags", std::move(note), "flags.txt", parts.flags, {}}};
  if (!parts.file.empty()) {
    const std::string title = "Configuration file for " + std::string(framework.label);
    files.push_back({"config", title, "The file that the launch flags name", file, parts.file, {}});
  }
  return files;
}

}  // namespace

Result<std::vector<LaunchFile>> launchFiles(const TrainingQuestion& question, const PlannedConfiguration& planned,
                                            std::vector<std::string> hosts) {
  P2_TRY(fitHosts(hosts, question.system.deviceCount() / devicesPerNode(question.system)));
  const LaunchText parts = partsOf(*planned.framework, launchTextOf(question.model, question.system, planned));
  std::vector<LaunchFile> files = optionFiles(*planned.framework, parts);
  for (LaunchFile& file : hostFiles(question.system, planned, parts, hosts)) files.push_back(std::move(file));
  TrainingPlan plan = workloadPlanOf(planned.configuration);
  const StepParts& time = planned.estimate.parts;
  plan.computeSeconds = time.compute + time.inefficiency + time.recompute;
  const auto workload = generateWorkload(question.model, plan);
  if (workload.ok()) {
    files.push_back({"workload",
                     "Communication of the step",
                     "A p2-workload file: every collective with bytes and count",
                     "workload.json",
                     workloadToJson(workload->workload),
                     {}});
  }
  files.push_back({"report",
                   "Report on the step",
                   "Time, memory and where they go, for people",
                   "report.txt",
                   stepReport(question, planned),
                   {}});
  return files;
}

}  // namespace p2::inline training_answer
