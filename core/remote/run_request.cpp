// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/run_request.h"

#include <algorithm>
#include <cctype>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "plan/plan.h"

namespace p2::inline remote {
namespace {

constexpr int kMostSlots = 1 << 20;

bool isVariableName(const std::string& name) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), allowed);
}

Error failed(const std::string& what) {
  return Error{what + "; install the same version on both sides and run it again", {}, ErrorKind::Failed};
}

Error differs(const std::string& what, const std::string& theirs, const std::string& ours) {
  return failed("the runner answers for " + what + " " + theirs + ", not " + ours);
}

Result<void> checkCount(const std::string& what, std::int64_t theirs, std::int64_t ours) {
  if (theirs == ours) return {};
  return differs("a number of " + what + " of", std::to_string(theirs), std::to_string(ours));
}

/// No repetition takes longer than all of them may. A step may be too short for the clock, a `whole` program is not.
Result<void> checkTimes(const std::string& what, const Spread& seconds, const RunIdentity& asked, bool whole) {
  const bool ordered = seconds.min >= 0 && seconds.min <= seconds.median && seconds.median <= seconds.max;
  const bool positive = !whole || seconds.min > 0;
  if (ordered && positive && seconds.max <= asked.timeLimit) return {};
  return failed("the runner's times of " + what + " are impossible: minimum " + exactNumber(seconds.min) +
                " s, median " + exactNumber(seconds.median) + " s, maximum " + exactNumber(seconds.max) + " s");
}

/// A vector of less than an element for every chunk and piece becomes one of as many.
Bytes mostBytes(const RunIdentity& asked) {
  return asked.bytes + Bytes(double(kElementBytes) * double(asked.chunks) * double(std::max(asked.pieces, 1)));
}

/// Bandwidths follow from the bytes and the median, up to rounding; a bus bandwidth is at most twice the algorithm's.
Result<void> checkStepBytes(const std::string& name, const StepRun& step, const RunResult& result) {
  constexpr double kRounding = 1.01;
  const double bandwidth = step.seconds.median > 0 ? step.bytes.value() / step.seconds.median : 0;
  const bool bandwidths =
      step.algorithmBandwidth <= kRounding * bandwidth && step.busBandwidth <= 2 * kRounding * step.algorithmBandwidth;
  if (step.bytes <= result.bytes * static_cast<double>(result.hosts.size()) && bandwidths) return {};
  return failed("the runner's figures of " + name + " are impossible: " + formatBytes(step.bytes) + " in " +
                exactNumber(step.seconds.median) + " s at " + formatBandwidth(step.algorithmBandwidth) + " (bus " +
                formatBandwidth(step.busBandwidth) + ")");
}

/// Every element is checked once in each of the two number formats.
Result<void> checkWrongElements(const RunResult& result) {
  const double most = 2 * result.bytes.value() / double(kElementBytes) * static_cast<double>(result.hosts.size());
  if (static_cast<double>(result.wrongElements) <= most) return {};
  return failed("the runner reports " + std::to_string(result.wrongElements) + " wrong elements, but only " +
                exactNumber(most) + " were checked (both number formats)");
}

Result<void> checkHosts(const RunResult& result) {
  constexpr std::size_t kMostName = 255;  // bytes, as many as DNS allows
  for (const std::string& host : result.hosts) {
    if (host.size() > kMostName) {
      return failed("the runner reports a host name of " + formatBytes(Bytes(double(host.size()))) +
                    "; a name has at most 255 bytes");
    }
  }
  return {};
}

std::string stepText(const std::string& collective, std::int64_t members) {
  return collective + " over " + countedText(members, "device");
}

Result<void> checkSteps(const RunResult& result, const RunIdentity& asked) {
  P2_TRY(checkCount("steps", static_cast<std::int64_t>(result.steps.size()),
                    static_cast<std::int64_t>(asked.steps.size())));
  P2_TRY(checkTimes("the whole program", result.seconds, asked, !asked.steps.empty()));
  for (std::size_t i = 0; i < asked.steps.size(); ++i) {
    const StepRun& theirs = result.steps[i];
    const RunIdentity::Step& ours = asked.steps[i];
    const std::string name = "step " + std::to_string(i + 1);
    if (theirs.collective != ours.collective || theirs.members != ours.members) {
      return differs(name + " with", stepText(theirs.collective, theirs.members),
                     stepText(ours.collective, ours.members));
    }
    P2_TRY(checkTimes(name, theirs.seconds, asked, false));
    P2_TRY(checkStepBytes(name, theirs, result));
  }
  return {};
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
    return Error{"\"" + target.runner + "\" is not a program; name the runner, as in p2-runner or /opt/bin/p2-runner",
                 target.name};
  }
  if (!target.host.empty() && (target.host[0] == '-' || target.host.find_first_of(" \t\n") != std::string::npos)) {
    return Error{"\"" + target.host + "\" is not a host; write a name that ssh knows, as in user@host", target.name};
  }
  for (const auto& [name, value] : launch.environment) {
    if (!isVariableName(name)) {
      return Error{"\"" + name + "\" is not the name of an environment variable; use letters, digits and _",
                   target.name};
    }
  }
  return target;
}

RunIdentity identityOf(const RunRequest& request, const Plan& plan) {
  RunIdentity identity{planHash(request.plan), {},
                       plan.deviceCount(),     request.pieces,
                       request.backend,        request.bytes,
                       request.repeat,         plan.cut().chunks,
                       request.timeLimit};
  for (const PlanStep& step : plan.steps()) {
    identity.steps.push_back(
        {std::string(nameOf(step.collective)), static_cast<std::int64_t>(step.groups.front().devices.size())});
  }
  return identity;
}

Result<void> checkAnswer(const RunResult& result, const RunIdentity& asked) {
  if (result.planHash != asked.planHash) return differs("the plan", result.planHash, asked.planHash);
  if (result.backend != asked.backend) return differs("the backend", result.backend, asked.backend);
  P2_TRY(checkCount("ranks", static_cast<std::int64_t>(result.hosts.size()), asked.ranks));
  P2_TRY(checkCount("repetitions", result.repeat, asked.repeat));
  if (result.bytes < asked.bytes || result.bytes > mostBytes(asked)) {
    return differs("a vector of", formatBytes(result.bytes), formatBytes(asked.bytes));
  }
  P2_TRY(checkHosts(result));
  P2_TRY(checkSteps(result, asked));
  P2_TRY(checkWrongElements(result));
  if (result.pieces == 1 && asked.pieces != 1) {
    return failed("the runner did not overlap steps, because its version (" + result.version + ") cannot");
  }
  return checkCount("pieces", result.pieces, asked.pieces);
}

}  // namespace p2::inline remote
