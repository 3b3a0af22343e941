// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "plan/plan.h"
#include "step/step_ranking.h"

namespace p2::inline exporters {

/// Every device sends its vector to the next of its group, the last to the first if the ring is closed.
struct TorchrunShift {
  Workspace workspace;  ///< system, axes and matrix; bytes of the vector in its cost options
  std::vector<DeviceGroup> groups;
  bool closed = true;
  double seconds = 0;  ///< predicted
};

/// One run of a script for torchrun.
struct TorchrunJob {
  std::string name;           ///< "program", or the name of a workload's entry
  std::int64_t count = 1;     ///< runs in a training step
  bool overlappable = false;  ///< with computation
  std::variant<Plan, TorchrunShift> work;

  [[nodiscard]] const Workspace& workspace() const;
};

/// A Python script of the standard library and torch that runs the jobs one after the other: one process per device,
/// groups created once, every element checked, every step timed, the runs printed as {"format": "p2-runs"}. The script
/// refuses plans changed after the export. Sources are in resources/torchrun. Errors: no job, jobs for different
/// numbers of devices.
/// `step` is the name of a workload with these entries, empty for other jobs.
[[nodiscard]] Result<std::string> torchrunScript(const std::vector<TorchrunJob>& jobs, const std::string& step = {});

/// The plan and, for comparison, the plan of its goal's single collective, unless that is the program itself. Errors:
/// as makePlan().
[[nodiscard]] Result<std::vector<TorchrunJob>> torchrunJobs(const Plan& plan);

/// Every entry of a ranking's workload on one of its placements, each by its best program. A Dispatch runs as an
/// AllToAll of its bytes, because its routing is not known before the run. Errors: as makePlan().
[[nodiscard]] Result<std::vector<TorchrunJob>> torchrunJobs(const StepRanking& ranking, const PlacementStep& placement);

/// Launch of a script.
struct TorchrunLaunch {
  std::string file;    ///< as a word of the shell
  bool slurm = false;  ///< with srun instead of torchrun
  Bytes bytes;
  int repeat = 20;
  int pieces = 1;
};

/// The command that starts a script on a system, one process per device. On several nodes without Slurm every node
/// needs it, with NUMBER and HOST filled in. Runs go to runs.json.
[[nodiscard]] std::string torchrunCommand(const System& system, const TorchrunLaunch& launch);

/// Axes as records of runs name them: "data 8 ∑ · model 2", with ∑ for those that are reduced over.
[[nodiscard]] std::string recordedAxes(const std::vector<Axis>& axes);

}  // namespace p2::inline exporters
