// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/torchrun.h"

#include <sstream>

#include "base/counted.h"
#include "base/lists.h"
#include "collective/collective_traits.h"
#include "exporters/detail/formats.h"
#include "exporters/detail/python_text.h"
#include "exporters/detail/torchrun_files.h"
#include "runs/run_result.h"
#include "system/level_names.h"
#include "text/json_writer.h"

namespace p2::inline exporters {
namespace {

std::string distributionText(const Distribution& distribution) {
  const auto holders = [&] {
    switch (distribution.holders) {
      case Distribution::Holders::EveryMember:
        return "all";
      case Distribution::Holders::Root:
        return "root";
      case Distribution::Holders::AtLeastRoot:
        return "root or more";
    }
    return "";
  }();
  const bool all = distribution.chunks == Distribution::Chunks::All;
  const bool own = distribution.contributions == Distribution::Contributions::Own;
  return "{\"holders\": " + pythonString(holders) + ", \"chunks\": " + pythonString(all ? "all" : "one") +
         ", \"contributions\": " + pythonString(own ? "own" : "everyone") + "}";
}

std::string goalText(const Goal& goal) {
  return "{\"first\": " + distributionText(goal.before) +
         ",\n                 \"last\": " + distributionText(goal.after) +
         ",\n                 \"apart\": " + (traitsOf(goal.single).keepsApart ? "True" : "False") + "}";
}

/// A Shift as the part of a plan file that the script reads: one chunk on every device.
std::string shiftText(const TorchrunShift& shift) {
  std::ostringstream out;
  JsonWriter json(out);
  json.beginObject().key("options").beginObject().key("bytes").number(shift.workspace.options.cost.bytes.value()).end();
  json.key("program").text(shift.closed ? "Shift to the next, the last to the first" : "Shift to the next");
  json.key("vector").beginObject().key("chunks").whole(1).end();
  json.key("predicted").beginObject().key("seconds").number(shift.seconds).end();
  const auto writeGroups = [&](const auto& writeGroup) {
    json.beginArray();
    for (const DeviceGroup& group : shift.groups) writeGroup(group);
    json.end();
  };
  const auto devices = [&](const DeviceGroup& group) {
    json.beginArray(JsonWriter::Layout::OneLine);
    for (const Device device : group) json.whole(device.value());
    json.end();
  };
  json.key("reduction_groups");
  writeGroups(devices);
  json.key("lowered").beginArray().beginObject().key("collective").text(shift.closed ? "Shift" : "OpenShift");
  json.key("groups");
  writeGroups([&](const DeviceGroup& group) {
    json.beginObject().key("devices");
    devices(group);
    json.key("chunks_before").text("0").key("chunks_after").text("0").end();
  });
  json.end().end().end();
  return out.str();
}

std::string textOf(const TorchrunJob& job) {
  if (const auto* shift = std::get_if<TorchrunShift>(&job.work)) return shiftText(*shift);
  return planToJson(std::get<Plan>(job.work));
}

std::string goalOf(const TorchrunJob& job) {
  if (std::holds_alternative<Plan>(job.work)) return goalText(job.workspace().options.goal);
  return "{\"first\": " + distributionText(kOwnData) + ", \"last\": " + distributionText(kOwnData) +
         ", \"apart\": False, \"shift\": True}";
}

/// A JSON text never has three quotation marks in a row, so that it is a raw string as it stands.
std::string jobText(const TorchrunJob& job) {
  const Workspace& workspace = job.workspace();
  const std::string plan = textOf(job);
  std::string text = "    {\n        \"name\": " + pythonString(job.name) +
                     ", \"count\": " + std::to_string(job.count) +
                     ", \"overlappable\": " + (job.overlappable ? "True" : "False") + ",\n";
  text += "        \"system\": " + pythonString(workspace.system.name) +
          ", \"axes\": " + pythonString(recordedAxes(workspace.axes)) +
          ", \"matrix\": " + pythonString(workspace.matrix.text()) + ",\n";
  text += "        \"goal\": " + goalOf(job) + ",\n        \"hash\": \"" + planHash(plan) + "\",\n";
  return text + "        \"plan\": r\"\"\"" + plan + "\"\"\",\n    },\n";
}

}  // namespace

std::string recordedAxes(const std::vector<Axis>& axes) {
  return joined(axes, " · ", [](const Axis& axis) {
    return axis.name + " " + std::to_string(axis.size) + (axis.reduce ? " ∑" : "");
  });
}

const Workspace& TorchrunJob::workspace() const {
  const auto* shift = std::get_if<TorchrunShift>(&work);
  return shift != nullptr ? shift->workspace : std::get<Plan>(work).workspace();
}

Result<std::string> torchrunScript(const std::vector<TorchrunJob>& jobs, const std::string& step) {
  if (jobs.empty()) return Error{"a script needs a job; give a plan, or a workload with entries"};
  std::string text = std::string(torchrunParts()) + "\n\nVERSION = " + pythonString(P2_VERSION) +
                     "\nSTEP = " + pythonString(step) + "\n\nJOBS = [\n";
  const std::int64_t devices = jobs[0].workspace().system.deviceCount();
  for (const TorchrunJob& job : jobs) {
    const std::int64_t own = job.workspace().system.deviceCount();
    if (own != devices) {
      return Error{"\"" + job.name + "\" is for " + countedText(own, "device") + " and \"" + jobs[0].name + "\" for " +
                   std::to_string(devices) + "; export them into scripts of their own"};
    }
    text += jobText(job);
  }
  return text + "]\n" + std::string(torchrunMain());
}

Result<std::vector<TorchrunJob>> torchrunJobs(const Plan& plan) {
  std::vector<TorchrunJob> jobs{{"program", 1, false, plan}};
  Workspace single = plan.workspace();
  const SynthesisHierarchy hierarchy(single.system, Placement(single.axes, single.matrix));
  single.program = programText(hierarchy, singleProgram(hierarchy, single.options.goal));
  if (single.program == plan.workspace().program) return jobs;
  single.source.clear();
  P2_TRY_ASSIGN(const auto made, makePlan(single));
  jobs.push_back({"single " + std::string(nameOf(single.options.goal.single)), 1, false, made});
  return jobs;
}

std::string torchrunCommand(const System& system, const TorchrunLaunch& launch) {
  const std::int64_t perHost = devicesPerHost(system);
  const std::int64_t nodes = system.deviceCount() / perHost;
  const std::string processes = std::to_string(perHost);
  std::string command;
  if (launch.slurm) {
    command = "srun --nodes " + std::to_string(nodes) + " --ntasks-per-node " + processes + " python3";
  } else if (nodes == 1) {
    command = "torchrun --nproc_per_node " + processes;
  } else {
    command = "torchrun --nnodes " + std::to_string(nodes) +
              " --node_rank NUMBER --master_addr HOST --nproc_per_node " + processes;
  }
  command += " " + launch.file + " --bytes " + std::to_string(static_cast<std::int64_t>(launch.bytes.value())) +
             " --repeat " + std::to_string(launch.repeat);
  if (launch.pieces > 1) command += " --overlap " + std::to_string(launch.pieces);
  return command + " -o runs.json";
}

Result<std::string> planToTorchrun(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const auto jobs, torchrunJobs(plan));
  return torchrunScript(jobs);
}

}  // namespace p2::inline exporters
