// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/launch.h"

#include <unistd.h>

#include <regex>
#include <sstream>

#include "app/runner/worker.h"

namespace p2::runner {
namespace {

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

Command mpirunCommand(const Launch& launch, std::int64_t ranks) {
  // Ranks that share cores would otherwise spin while they wait for each other.
  Command command{{"mpirun", "-n", std::to_string(ranks), "--oversubscribe", "--mca", "mpi_yield_when_idle", "1",
                   "--map-by", launch.byNode ? "node" : "slot"},
                  {},
                  -1,
                  true};
  if (!launch.hostfile.empty()) append(command.arguments, {"--hostfile", launch.hostfile});
  for (const auto& [name, value] : launch.environment) append(command.arguments, {"-x", name + "=" + value});
  if (::geteuid() == 0) {
    command.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  }
  return command;
}

Command srunCommand(const Launch& launch, std::int64_t ranks) {
  Command command{{"srun", "-n", std::to_string(ranks), "--input=0", "--kill-on-bad-exit=1",
                   launch.byNode ? "--distribution=cyclic" : "--distribution=block"},
                  launch.environment,
                  -1,
                  true};
  return command;
}

}  // namespace

Result<Command> launchCommand(const Launch& launch, std::int64_t ranks, const std::string& runner) {
  if (ranks > launch.mostRanks) {
    return Error{"the plan is for " + std::to_string(ranks) + " devices, but the target has " +
                 std::to_string(launch.mostRanks) + " slots; use a smaller system or give the target more slots"};
  }
  Command command = launch.launcher == "srun" ? srunCommand(launch, ranks) : mpirunCommand(launch, ranks);
  append(command.arguments, launch.arguments);
  append(command.arguments, {runner, "worker"});
  return command;
}

std::string launchFailure(const Launch& launch, int status, const std::string& errors) {
  std::istringstream lines(errors);
  std::string last;
  const std::regex killed(R"(process rank (\d+) with PID \d+ on node (\S+) exited on signal (\d+) \(([^)]*)\))");
  std::string signal;
  for (std::string line; std::getline(lines, line);) {
    // What a rank says itself is the best explanation.
    if (const std::size_t said = line.find(kWorkerSays); said != std::string::npos) {
      return line.substr(said + std::string_view(kWorkerSays).size());
    }
    std::smatch match;
    if (std::regex_search(line, match, killed)) {
      signal = "rank " + match[1].str() + " on " + match[2].str() + " was killed by signal " + match[3].str() + " (" +
               match[4].str() + ") before the run was over";
    }
    if (line.find_first_not_of(" -\t\r") != std::string::npos) last = line;
  }
  if (!signal.empty()) return signal;
  return launch.launcher + " " + describeStatus(status) + " before the run was over" +
         (last.empty() ? "" : ": " + last);
}

}  // namespace p2::runner
