// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/launch.h"

#include <unistd.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "app/runner/worker.h"
#include "base/counted.h"

namespace p2::runner {
namespace {

constexpr std::size_t kMostWords = 400;  // bytes of what a launcher says
// Ranks that share cores would otherwise spin while they wait for each other.
constexpr const char* kYield = "mpi_yield_when_idle";
constexpr const char* kYieldVariable = "OMPI_MCA_mpi_yield_when_idle";

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

Command mpirunCommand(const Launch& launch, std::int64_t ranks) {
  Command command{{"mpirun", "-n", std::to_string(ranks), "--oversubscribe", "--mca", kYield, "1", "--map-by",
                   launch.byNode ? "node" : "slot"},
                  {},
                  -1,
                  true};
  if (!launch.hostfile.empty()) append(command.arguments, {"--hostfile", launch.hostfile});
  // Arguments are read by everyone on the machine, an environment by its owner alone: mpirun passes on its own.
  for (const auto& [name, value] : launch.environment) append(command.arguments, {"-x", name});
  command.environment = launch.environment;
  if (::geteuid() == 0) {
    for (const char* allow : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) {
      command.environment.emplace_back(allow, "1");
    }
  }
  return command;
}

Command srunCommand(const Launch& launch, std::int64_t ranks) {
  Command command{{"srun", "-n", std::to_string(ranks), "--input=0", "--kill-on-bad-exit=1",
                   launch.byNode ? "--distribution=cyclic" : "--distribution=block"},
                  launch.environment,
                  -1,
                  true};
  const bool says = std::any_of(launch.environment.begin(), launch.environment.end(),
                                [](const auto& variable) { return variable.first == kYieldVariable; });
  if (!says) command.environment.emplace_back(kYieldVariable, "1");
  return command;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

bool isRule(const std::string& line) {
  return line.starts_with("----") && line.find_first_not_of("-\r") == std::string::npos;
}

std::string joinedWords(const std::string& text) {
  std::istringstream in(text);
  std::string words;
  for (std::string word; in >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

/// The sentence of the rank that mpirun has seen killed; it may be broken into lines.
std::string killedRank(const std::string& errors) {
  static const std::regex kKilled(
      R"(process rank (\d+) with PID \d+ on node (\S+) exited on signal (\d+) \(([^)]*)\))");
  const std::string words = joinedWords(errors);
  std::smatch match;
  if (!std::regex_search(words, match, kKilled)) return {};
  return "rank " + match[1].str() + " on " + match[2].str() + " was killed by signal " + match[3].str() + " (" +
         match[4].str() + ") before the run was over";
}

/// mpirun lays out what it has to say between two rules, the cause before what follows from it.
std::string firstBlock(const std::vector<std::string>& lines) {
  const auto begin = std::find_if(lines.begin(), lines.end(), isRule);
  if (begin == lines.end()) return {};
  std::string block;
  for (auto line = begin + 1; line != lines.end() && !isRule(*line); ++line) block += *line + '\n';
  return joinedWords(block);
}

/// What explains best why a launcher gave up.
std::string launcherSentence(const Launch& launch, const std::vector<std::string>& lines) {
  if (std::string block = firstBlock(lines); !block.empty()) {
    if (block.size() > kMostWords) block = block.substr(0, block.rfind(' ', kMostWords)) + " …";
    return block;
  }
  // srun also says what it waits for.
  for (const std::string& opening : {launch.launcher + ": error:", launch.launcher + ":"}) {
    for (const std::string& line : lines) {
      if (line.starts_with(opening)) return line;
    }
  }
  std::string last;
  for (const std::string& line : lines) {
    if (line.find_first_not_of(" -\t\r") != std::string::npos) last = line;
  }
  return last;
}

}  // namespace

std::string unknownToEachOther(const std::string& processes) {
  return "srun has started " + processes +
         " that do not find each other; name the plugin that this MPI goes by among the launcher's arguments, as in "
         "--mpi=pmix (srun --mpi=list has them all)";
}

Result<Command> launchCommand(const RunRequest& request, std::int64_t ranks, const std::string& runner) {
  const Launch& launch = request.launch;
  if (ranks > launch.mostRanks) {
    return Error{"the plan is for " + countedText(ranks, "device") + ", but the target has " +
                 countedText(launch.mostRanks, "slot") + "; use a smaller system or give the target more slots"};
  }
  Command command = launch.launcher == "srun" ? srunCommand(launch, ranks) : mpirunCommand(launch, ranks);
  append(command.arguments, launch.arguments);
  append(command.arguments, {runner, "worker"});
  if (request.pieces > 1) append(command.arguments, {std::string(kThreads)});
  return command;
}

std::string launchFailure(const Launch& launch, int status, const std::string& said) {
  const std::vector<std::string> lines = linesOf(said);
  // What a rank says itself is the best explanation.
  for (const std::string& line : lines) {
    const std::size_t at = line.find(kWorkerSays);
    if (at != std::string::npos) return line.substr(at + std::string_view(kWorkerSays).size());
  }
  if (std::string signal = killedRank(said); !signal.empty()) return signal;
  // Open MPI 4 notices it itself, and explains how it is compiled.
  if (said.find("direct launched using \"srun\"") != std::string::npos) return unknownToEachOther("processes");
  const std::string words = launcherSentence(launch, lines);
  return launch.launcher + " " + describeStatus(status) + " before the run was over" +
         (words.empty() ? "" : ": " + words);
}

}  // namespace p2::runner
