// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/torchrun.h"

#include "base/counted.h"
#include "collective/collective_traits.h"
#include "exporters/exporters.h"
#include "exporters/python_text.h"
#include "exporters/torchrun_files.h"
#include "runs/run_result.h"

namespace p2 {
namespace {

std::string distributionText(const Distribution& distribution) {
  const auto holders = [&] {
    switch (distribution.holders) {
      case Distribution::Holders::Everybody:
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
         ",\n                 \"apart\": " + (traitsOf(goal.flat).keepsApart ? "True" : "False") + "}";
}

std::string recordedAxes(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) {
    text += (text.empty() ? "" : " · ") + axis.name + " " + std::to_string(axis.size) + (axis.reduce ? " ∑" : "");
  }
  return text;
}

/// A JSON text never has three quotation marks in a row, so that it is a raw string as it stands.
std::string jobText(const TorchrunJob& job) {
  const Workspace& workspace = job.plan.workspace();
  const std::string plan = planToJson(job.plan);
  std::string text = "    {\n        \"name\": " + pythonString(job.name) +
                     ", \"count\": " + std::to_string(job.count) +
                     ", \"overlappable\": " + (job.overlappable ? "True" : "False") + ",\n";
  text += "        \"system\": " + pythonString(workspace.system.name) +
          ", \"axes\": " + pythonString(recordedAxes(workspace.axes)) +
          ", \"matrix\": " + pythonString(workspace.matrix.text()) + ",\n";
  text +=
      "        \"goal\": " + goalText(workspace.options.goal) + ",\n        \"hash\": \"" + planHash(plan) + "\",\n";
  return text + "        \"plan\": r\"\"\"" + plan + "\"\"\",\n    },\n";
}

}  // namespace

Result<std::string> torchrunScript(const std::vector<TorchrunJob>& jobs) {
  if (jobs.empty()) return Error{"a script needs a job; give a plan, or a workload with entries"};
  std::string text = std::string(torchrunParts()) + "\n\nVERSION = " + pythonString(P2_VERSION) + "\n\nJOBS = [\n";
  for (const TorchrunJob& job : jobs) {
    if (job.plan.deviceCount() != jobs[0].plan.deviceCount()) {
      return Error{"\"" + job.name + "\" is for " + countedText(job.plan.deviceCount(), "device") + " and \"" +
                   jobs[0].name + "\" for " + std::to_string(jobs[0].plan.deviceCount()) +
                   "; export them into scripts of their own"};
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
  jobs.push_back({"single " + std::string(nameOf(single.options.goal.flat)), 1, false, made});
  return jobs;
}

Result<std::string> planToTorchrun(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const auto jobs, torchrunJobs(plan));
  return torchrunScript(jobs);
}

}  // namespace p2
