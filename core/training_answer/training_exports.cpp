// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "base/lists.h"
#include "training_answer/launch_files.h"
#include "training_answer/training_plan_file.h"

namespace p2::inline training_answer {
namespace {

constexpr std::array kExports{
    TrainingExport{"json", "the plan file itself", "p2 export"},
    TrainingExport{"megatron", "arguments of Megatron-LM", "Megatron-LM"},
    TrainingExport{"torchtitan", "options of TorchTitan", "TorchTitan"},
    TrainingExport{"deepspeed", "DeepSpeed's JSON, and arguments of Megatron-DeepSpeed", "Megatron-DeepSpeed"},
    TrainingExport{"fsdp", "keyword arguments of PyTorch's FSDP", "PyTorch"},
    TrainingExport{"maxtext", "MaxText's YAML", "MaxText"},
    TrainingExport{"neuronx", "NxD Training's YAML", "NxD Training"},
    TrainingExport{"slurm", "the SLURM_HOSTFILE of srun --distribution=arbitrary", "Slurm"},
    TrainingExport{"openmpi", "the hostfile of mpirun, or its rank file", "Open MPI"},
    TrainingExport{"torchrun", "the command for every node", "PyTorch"},
    TrainingExport{"workload", "the communication of the step, as p2 step reads it", "p2 step"},
    TrainingExport{"report", "time, memory and where they go, for people", ""},
};

/// The configuration in another framework's words, where that runs it.
Result<std::string> launchTextIn(const TrainingPlanFile& file, const TrainingFramework& framework) {
  PlannedConfiguration planned = file.planned;
  if (planned.framework == &framework) {
    return commentedLaunchText(file.question.model, file.question.system, planned, file.assumed);
  }
  const TrainingQuestion& question = file.question;
  const FixedChoices fixed = choicesOf(planned.configuration);
  P2_TRY_ASSIGN(const auto accelerator, trainingAcceleratorOf(question.system));
  P2_TRY(checkPlatform(framework, accelerator.platform));
  const SearchSpace space{question.model,
                          question.system.deviceCount(),
                          question.batch,
                          question.sequence,
                          question.precision,
                          framework,
                          fixed,
                          &accelerator};
  std::optional<TrainingConfiguration> same;
  (void)space.forEach([&](const TrainingConfiguration& each) {
    same = each;
    return false;
  });
  const std::string remedy = "; plan again with the framework " + std::string(framework.name);
  if (!same) {
    return Error{"the plan is one of " + std::string(planned.framework->label) + ", and " +
                 std::string(framework.label) + " has not all of its choices (" + describe(planned.configuration) +
                 ")" + remedy};
  }
  const auto runs = checkFramework(framework, question.model, *same);
  if (!runs.ok()) return Error{runs.error().message + remedy};
  planned.framework = &framework;
  planned.configuration = *same;
  planned.orders = {std::string(framework.orders.front())};
  return commentedLaunchText(question.model, question.system, planned, file.assumed);
}

}  // namespace

std::span<const TrainingExport> trainingExports() { return kExports; }

Result<std::string> exportTrainingPlan(const TrainingPlanFile& file, std::string_view format,
                                       const std::vector<std::string>& hosts) {
  if (format == "json") return trainingPlanToJson(file);
  const auto frameworks = trainingFrameworks();
  const auto framework =
      std::find_if(frameworks.begin(), frameworks.end(), [&](const auto* each) { return each->name == format; });
  if (framework != frameworks.end()) return launchTextIn(file, **framework);
  P2_TRY_ASSIGN(const auto files, launchFiles(file.question, file.planned, hosts, file.assumed));
  for (const LaunchFile& each : files) {
    if (each.name != format || each.name == "flags") continue;
    if (!each.problem.empty()) return Error{each.problem};
    return each.text;
  }
  const std::string known = joined(kExports, ", ", &TrainingExport::name);
  return Error{"\"" + std::string(format) + "\" is not an export format of training plans; use one of " + known};
}

}  // namespace p2::inline training_answer
