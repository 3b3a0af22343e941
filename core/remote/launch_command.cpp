// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch_command.h"

#include <algorithm>

#include "base/counted.h"

namespace p2::inline remote {
namespace {

// Ranks that share cores would otherwise spin while they wait for each other.
constexpr const char* kYield = "mpi_yield_when_idle";
constexpr const char* kYieldVariable = "OMPI_MCA_mpi_yield_when_idle";

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

Command mpirunCommand(const Launch& launch, std::int64_t ranks, bool asRoot) {
  Command command{{"mpirun", "-n", std::to_string(ranks), "--oversubscribe", "--mca", kYield, "1", "--map-by",
                   launch.byNode ? "node" : "slot"},
                  {},
                  -1,
                  true};
  if (!launch.hostfile.empty()) append(command.arguments, {"--hostfile", launch.hostfile});
  // Arguments are read by everyone on the machine, an environment by its owner alone: mpirun passes on its own.
  for (const auto& [name, value] : launch.environment) append(command.arguments, {"-x", name});
  command.environment = launch.environment;
  if (asRoot) {
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

}  // namespace

std::string shellWord(const std::string& word) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./_-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string shellText(const Command& command) {
  std::string text;
  for (const auto& [name, value] : command.environment) text += name + "=" + shellWord(value) + " ";
  for (const std::string& argument : command.arguments) text += shellWord(argument) + " ";
  text.pop_back();
  return text;
}

Result<Command> launchCommand(const Launch& launch, std::int64_t ranks, const RunnerProgram& runner) {
  if (ranks > launch.mostRanks) {
    return Error{"the plan is for " + countedText(ranks, "device") + ", but the target has " +
                 countedText(launch.mostRanks, "slot") + "; use a smaller system or give the target more slots"};
  }
  Command command =
      launch.launcher == "srun" ? srunCommand(launch, ranks) : mpirunCommand(launch, ranks, runner.asRoot);
  append(command.arguments, launch.arguments);
  append(command.arguments, {runner.path, "worker"});
  if (runner.threads) append(command.arguments, {std::string(kThreads)});
  return command;
}

}  // namespace p2::inline remote
