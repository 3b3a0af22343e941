// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/run_request.h"

#include <algorithm>
#include <cctype>

#include "base/counted.h"

namespace p2 {
namespace {

constexpr int kMostSlots = 1 << 20;

bool isVariableName(const std::string& name) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), allowed);
}

}  // namespace

Result<Target> validated(Target target) {
  const Launch& launch = target.launch;
  if (std::find(std::begin(kLaunchers), std::end(kLaunchers), launch.launcher) == std::end(kLaunchers)) {
    return Error{"\"" + launch.launcher + "\" is not a launcher; use mpirun or srun", target.name};
  }
  if (launch.mostRanks < 1 || launch.mostRanks > kMostSlots) {
    return Error{
        countedText(launch.mostRanks, "slot") + "; a target takes 1 to " + std::to_string(kMostSlots) + " processes",
        target.name};
  }
  if (target.runner.empty() || target.runner[0] == '-') {
    return Error{"\"" + target.runner + "\" is no program; name the runner, as in p2-runner or /opt/bin/p2-runner",
                 target.name};
  }
  if (!target.host.empty() && (target.host[0] == '-' || target.host.find_first_of(" \t\n") != std::string::npos)) {
    return Error{"\"" + target.host + "\" is no host; write a name that ssh knows, as in user@host", target.name};
  }
  for (const auto& [name, value] : launch.environment) {
    if (!isVariableName(name)) {
      return Error{"\"" + name + "\" is no name of an environment variable; use letters, digits and _", target.name};
    }
  }
  return target;
}

Result<void> checkAnswer(const RunResult& result, const RunIdentity& asked) {
  const auto differs = [](const std::string& what, const std::string& theirs, const std::string& ours) {
    return Error{"the runner answers for " + what + " " + theirs + ", not " + ours +
                     "; install the same version on both sides and run it again",
                 {},
                 ErrorKind::Failed};
  };
  if (result.planHash != asked.planHash) return differs("the plan", result.planHash, asked.planHash);
  if (result.steps.size() != asked.steps) {
    return differs("a number of steps of", std::to_string(result.steps.size()), std::to_string(asked.steps));
  }
  if (static_cast<std::int64_t>(result.hosts.size()) != asked.ranks) {
    return differs("a number of ranks of", std::to_string(result.hosts.size()), std::to_string(asked.ranks));
  }
  if (result.pieces == asked.pieces) return {};
  if (result.pieces == 1) {
    return Error{"the runner has done one step after the other, since its version (" + result.version +
                     ") cannot overlap steps; install the same version on both sides and run it again",
                 {},
                 ErrorKind::Failed};
  }
  return differs("a number of pieces of", std::to_string(result.pieces), std::to_string(asked.pieces));
}

}  // namespace p2
