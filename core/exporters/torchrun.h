// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace p2 {

/// One run of a script for torchrun.
struct TorchrunJob {
  std::string name;        ///< "program", or the name of a workload's entry
  std::int64_t count = 1;  ///< runs in a training step
  bool overlappable = false;
  Plan plan;
};

/// A Python script of the standard library and torch that runs the jobs one after the other: one process per device,
/// groups created once, every element checked, every step timed, the runs printed as {"format": "p2-runs"}. The script
/// refuses plans changed after the export. Sources are in resources/torchrun. Errors: no job, jobs for different
/// numbers of devices.
[[nodiscard]] Result<std::string> torchrunScript(const std::vector<TorchrunJob>& jobs);

/// The plan and, for comparison, the plan of its goal's single collective, unless that is the program itself. Errors:
/// as makePlan().
[[nodiscard]] Result<std::vector<TorchrunJob>> torchrunJobs(const Plan& plan);

}  // namespace p2
