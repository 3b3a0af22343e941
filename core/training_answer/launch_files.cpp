// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/launch_files.h"

#include <algorithm>
#include <set>

#include "base/counted.h"
#include "base/numbers.h"
#include "training_answer/detail/rank_starts.h"
#include "training_answer/detail/step_report.h"
#include "workload/generate/generator.h"

namespace p2::inline training_answer {
namespace {

constexpr std::size_t kMostHosts = 100'000;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }

bool isHostName(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
           c == '_';
  });
}

/// The words of a list; commas in brackets do not separate.
std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inRange = false;
  bool inComment = false;
  for (const char c : text) {
    if (c == '#') inComment = true;
    if (c == '\n') inComment = false;
    if (inComment) continue;
    if (c == '[') inRange = true;
    if (c == ']') inRange = false;
    if (isBlank(c) && !(inRange && c == ',')) {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

std::string padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

/// The numbers of "01-16" or "3", with as many digits as the first has.
Result<std::vector<std::string>> numbersOf(std::string_view range, const std::string& word) {
  const Error wrong{"\"" + word + "\" is not a range of hosts; write node[01-16]", "hosts"};
  const std::size_t dash = range.find('-');
  const std::string_view begin = range.substr(0, dash);
  const auto first = parseInteger(begin);
  const auto last = dash == std::string_view::npos ? first : parseInteger(range.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first) return wrong;
  if (static_cast<std::size_t>(*last - *first) >= kMostHosts) return wrong;
  std::vector<std::string> numbers;
  for (std::int64_t number = *first; number <= *last; ++number) numbers.push_back(padded(number, begin.size()));
  return numbers;
}

Result<std::vector<std::string>> expanded(const std::string& word) {
  const std::size_t open = word.find('[');
  if (open == std::string::npos) return std::vector<std::string>{word};
  const std::size_t close = word.find(']', open);
  if (close == std::string::npos) return Error{"\"" + word + "\" has no closing bracket; write node[01-16]", "hosts"};
  std::vector<std::string> names;
  std::string_view ranges = std::string_view(word).substr(open + 1, close - open - 1);
  while (!ranges.empty()) {
    const std::size_t end = std::min(ranges.find(','), ranges.size());
    P2_TRY_ASSIGN(const auto numbers, numbersOf(ranges.substr(0, end), word));
    for (const std::string& number : numbers) names.push_back(word.substr(0, open) + number + word.substr(close + 1));
    ranges.remove_prefix(std::min(end + 1, ranges.size()));
  }
  return names;
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

std::string torchrunCommand(const std::vector<std::string>& hosts, std::int64_t perNode) {
  std::string text = "# On every node; --node-rank counts the hosts in this order:\n";
  for (std::size_t node = 0; node < hosts.size(); ++node)
    text += "# " + std::to_string(node) + " " + hosts[node] + "\n";
  return text + "torchrun --nnodes " + std::to_string(hosts.size()) + " --nproc-per-node " + std::to_string(perNode) +
         " --node-rank $NODE_RANK --master-addr " + hosts.front() +
         " --master-port 29500 YOUR_SCRIPT $(cat flags.txt)\n";
}

/// torchrun numbers the ranks of a node in sequence.
LaunchFile torchrunFile(const std::vector<std::string>& hosts, std::int64_t perNode,
                        const std::optional<RankStarts>& starts) {
  LaunchFile file{"torchrun", "torchrun command", "Starts one process per device on every node", "launch.sh", {}, {}};
  if (!starts) {
    file.text = torchrunCommand(hosts, perNode);
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
  file.text = torchrunCommand(inOrder, perNode);
  return file;
}

}  // namespace

Result<std::vector<std::string>> hostsFromList(std::string_view text) {
  std::vector<std::string> hosts;
  std::set<std::string> seen;
  for (const std::string& word : wordsOf(text)) {
    if (word.find('=') != std::string::npos) continue;
    P2_TRY_ASSIGN(const auto names, expanded(word));
    for (const std::string& name : names) {
      if (!isHostName(name)) {
        return Error{"\"" + name + "\" is not the name of a host; use letters, digits, \".\", \"-\" and \"_\"",
                     "hosts"};
      }
      if (!seen.insert(name).second)
        return Error{"the host \"" + name + "\" is named twice; name every node once", "hosts"};
      if (hosts.size() >= kMostHosts) return Error{"these are more than 100000 hosts; name the nodes alone", "hosts"};
      hosts.push_back(name);
    }
  }
  return hosts;
}

Result<std::vector<LaunchFile>> launchFiles(const TrainingQuestion& question, const PlannedConfiguration& planned,
                                            std::vector<std::string> hosts) {
  const std::int64_t perNode = devicesPerNode(question.system);
  P2_TRY(fitHosts(hosts, question.system.deviceCount() / perNode));
  std::vector<LaunchFile> files;
  files.push_back({"flags",
                   "Launch flags",
                   "Options that decide the time and the memory of a step. Add data, paths, learning rates and what "
                   "changes neither, such as the base of rotary embeddings",
                   "flags.txt",
                   launchTextOf(question.model, question.system, planned),
                   {}});
  std::optional<RankStarts> starts;
  if (planned.needsRankFile()) {
    P2_TRY_ASSIGN(starts, rankStarts(question.system, planned));
  }
  files.push_back(openMpiHosts(hosts, perNode, starts));
  files.push_back(slurmHosts(hosts, perNode, starts));
  files.push_back(torchrunFile(hosts, perNode, starts));
  TrainingPlan plan = workloadPlanOf(planned.configuration);
  const StepParts& parts = planned.estimate.parts;
  plan.computeSeconds = parts.compute + parts.inefficiency + parts.recompute;
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
