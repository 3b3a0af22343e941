// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/launch_files.h"

#include <algorithm>

#include "base/sentence.h"
#include "system/level_names.h"
#include "training_answer/detail/rank_starts.h"
#include "training_answer/detail/step_report.h"
#include "workload/generate/generator.h"
#include "workload/generate/hugging_face.h"

namespace p2::inline training_answer {
namespace {

/// Name of the rule of frameworks without it.
constexpr std::string_view kPredictionRule = "multi-token prediction";

const std::string& hostOf(const std::vector<std::string>& hosts, std::int64_t host) {
  return hosts[static_cast<std::size_t>(host)];
}

LaunchFile openMpiHosts(const std::vector<std::string>& hosts, std::int64_t perHost,
                        const std::optional<RankStarts>& starts) {
  std::string text;
  if (!starts) {
    for (const std::string& host : hosts) text += host + " slots=" + std::to_string(perHost) + "\n";
    return {"openmpi", "Hostfile for Open MPI", "For mpirun --hostfile", "hostfile", text, {}};
  }
  text = "# mpirun --rankfile FILE, from Open MPI 5 on mpirun --map-by rankfile:file=FILE; ranks count through " +
         starts->order + ", the last fastest.\n";
  text += starts->places.visibleDevices(hosts);
  for (std::size_t rank = 0; rank < starts->places.hosts.size(); ++rank) {
    text += "rank " + std::to_string(rank) + "=" + hostOf(hosts, starts->places.hosts[rank]) +
            " slot=" + std::to_string(starts->places.slots[rank]) + "\n";
  }
  return {"openmpi", "Rank file for Open MPI", "For mpirun --rankfile", "rankfile", text, {}};
}

LaunchFile slurmHosts(const std::vector<std::string>& hosts, std::int64_t perHost,
                      const std::optional<RankStarts>& starts) {
  std::string text;
  if (starts) {
    const RankPlaces& places = starts->places;
    text =
        "# SLURM_HOSTFILE=<this file> srun --distribution=arbitrary --ntasks=" + std::to_string(places.hosts.size()) +
        places.slurmBinding() + "\n";
    if (!places.commonLocals()) text += places.visibleDevices(hosts);
    for (const std::int64_t host : places.hosts) text += hostOf(hosts, host) + "\n";
  } else {
    for (const std::string& host : hosts) {
      for (std::int64_t slot = 0; slot < perHost; ++slot) text += host + "\n";
    }
  }
  return {"slurm", "Hosts for Slurm", "For SLURM_HOSTFILE with srun --distribution=arbitrary", "slurm-hosts", text, {}};
}

/// The parts of a framework's launch text, see LaunchForm.
struct LaunchText {
  std::string file;              ///< empty if there are only arguments
  std::string flags;             ///< arguments, one a line; empty if there is only a file
  std::string environment = {};  ///< "NAME=VALUE", or empty
  std::string untrained = {};    ///< untrainedPart() of the plan
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

std::string environmentOf(const System& system, const PlannedConfiguration& planned) {
  const auto known = trainingAcceleratorOf(system);
  if (planned.framework->environment == nullptr || !known.ok()) return {};
  return std::string(planned.framework->environment(planned.configuration, known->generation));
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

/// A line that shells, YAML and Python pass over.
std::string commentOf(const std::string& sentence) { return "# " + sentenceOf(sentence) + "\n"; }

/// A script with all arguments in an array: bash removes quotes there, but not in the output of $(cat FILE).
std::string torchrunScript(const TrainingFramework& framework, const LaunchText& parts,
                           const std::vector<std::string>& hosts, std::int64_t perHost) {
  std::string text = "#!/usr/bin/env bash\n# On every node; NODE_RANK counts the hosts in this order:\n";
  for (std::size_t node = 0; node < hosts.size(); ++node)
    text += "# " + std::to_string(node) + " " + hosts[node] + "\n";
  if (!parts.flags.empty() && !parts.untrained.empty()) text += commentOf(parts.untrained);
  if (framework.launchForm == LaunchForm::Settings) {
    text += "# YOUR_SCRIPT sets:\n" + indented(parts.file, "#   ");
  } else if (!parts.file.empty()) {
    text += "cat > " + std::string(framework.launchFile) + " <<'END'\n" + parts.file + "END\n";
  }
  if (!parts.flags.empty()) text += "flags=(\n" + indented(parts.flags, "  ") + ")\n";
  if (!parts.environment.empty()) text += "export " + parts.environment + "\n";
  text += "torchrun --nnodes " + std::to_string(hosts.size()) + " --nproc-per-node " + std::to_string(perHost) +
          " --node-rank \"$NODE_RANK\" --master-addr " + hosts.front() + " --master-port 29500 " +
          std::string(framework.entry);
  return text + (parts.flags.empty() ? "\n" : " \"${flags[@]}\"\n");
}

/// torchrun numbers the ranks of a node in sequence.
LaunchFile torchrunFile(const TrainingFramework& framework, const LaunchText& parts,
                        const std::vector<std::string>& hosts, std::int64_t perHost,
                        const std::optional<RankStarts>& starts) {
  LaunchFile file{"torchrun", "torchrun script", "Starts one process per device on every node", "launch.sh", {}, {}};
  if (framework.launchForm == LaunchForm::File) {
    file.problem = std::string(framework.label) + " has a start of its own, which reads " +
                   std::string(framework.launchFile) + "; torchrun does not start it";
    file.text = "# " + file.problem + "\n";
    return file;
  }
  if (!starts) {
    file.text = torchrunScript(framework, parts, hosts, perHost);
    return file;
  }
  std::vector<std::string> inOrder;
  for (const std::int64_t host : starts->places.hostOrder()) inOrder.push_back(hostOf(hosts, host));
  if (inOrder.empty() || !starts->places.keepsDevices()) {
    file.problem =
        "the plan needs a rank file, and torchrun numbers the ranks of a node in sequence; start it with Slurm or Open "
        "MPI";
    file.text = "# " + file.problem + "\n";
    return file;
  }
  file.text = torchrunScript(framework, parts, inOrder, perHost);
  return file;
}

std::vector<LaunchFile> hostFiles(const System& system, const PlannedConfiguration& planned, const LaunchText& parts,
                                  const std::vector<std::string>& hosts) {
  const std::int64_t perHost = devicesPerHost(system);
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
  std::vector<LaunchFile> files{openMpiHosts(hosts, perHost, starts), slurmHosts(hosts, perHost, starts),
                                torchrunFile(*planned.framework, parts, hosts, perHost, starts)};
  if (problem.empty()) return files;
  for (LaunchFile& file : files) {
    file.problem = problem;
    file.text = "# " + problem + "\n";
  }
  return files;
}

std::vector<LaunchFile> optionFiles(const ModelShape& model, const TrainingFramework& framework,
                                    const LaunchText& parts) {
  std::string note =
      "Options that decide the time and the memory of a step. Add data, paths, learning rates and what changes "
      "neither, such as the parameters of the optimizer";
  // CHANGELOG.md of NVIDIA/Megatron-LM.
  if (parts.flags.find("--pipeline-model-parallel-layout") != std::string::npos) {
    note += ". --pipeline-model-parallel-layout needs Megatron-Core 0.13 or later";
  }
  if (!parts.environment.empty()) note += ". Set " + parts.environment + " in the environment";
  for (const std::string& gap : {launchGap(model, framework), parts.untrained}) {
    if (!gap.empty()) note += ". Note: " + gap;
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

std::string untrainedPart(const ModelShape& model, const PlannedConfiguration& planned,
                          const std::vector<std::string>& assumed) {
  const bool has = std::find(assumed.begin(), assumed.end(), kPredictingLayers) != assumed.end();
  if (!has || planned.configuration.predictedTokens > 0) return {};
  const std::string left = "the layers with which the model predicts further tokens are left out, and not trained";
  TrainingConfiguration with = planned.configuration;
  with.predictedTokens = 1;
  const FrameworkRule* rule = brokenRule(*planned.framework, model, with);
  if (rule != nullptr && rule->name == kPredictionRule) {
    return left + ": " + std::string(planned.framework->label) + " has no multi-token prediction";
  }
  return left + "; plan with the fixed choice mtp=1 to train one";
}

std::string commentedLaunchText(const ModelShape& model, const System& system, const PlannedConfiguration& planned,
                                const std::vector<std::string>& assumed) {
  const std::string untrained = untrainedPart(model, planned, assumed);
  const LaunchForm form = planned.framework->launchForm;
  const bool hasComments = form == LaunchForm::File || form == LaunchForm::Settings;
  return (hasComments && !untrained.empty() ? commentOf(untrained) : std::string()) +
         launchTextOf(model, system, planned);
}

Result<std::vector<LaunchFile>> launchFiles(const TrainingQuestion& question, const PlannedConfiguration& planned,
                                            std::vector<std::string> hosts, const std::vector<std::string>& assumed) {
  P2_TRY_ASSIGN(hosts, hostNames(question.system, std::move(hosts)));
  LaunchText parts =
      partsOf(*planned.framework, commentedLaunchText(question.model, question.system, planned, assumed));
  parts.environment = environmentOf(question.system, planned);
  parts.untrained = untrainedPart(question.model, planned, assumed);
  std::vector<LaunchFile> files = optionFiles(question.model, *planned.framework, parts);
  for (LaunchFile& file : hostFiles(question.system, planned, parts, hosts)) {
    file.namesHosts = true;
    files.push_back(std::move(file));
  }
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
                   stepReport(question, planned, assumed),
                   {}});
  return files;
}

}  // namespace p2::inline training_answer
