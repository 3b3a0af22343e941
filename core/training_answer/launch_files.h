// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "training/planner.h"

namespace p2::inline training_answer {

/// A file or command with which a configuration is started, ready to be copied.
struct LaunchFile {
  std::string_view name;   ///< "flags"
  std::string_view label;  ///< "Launch flags"
  std::string about;       ///< its use, one sentence
  std::string fileName;    ///< "hostfile"
  std::string text;
  std::string problem;      ///< why the launcher cannot start the ranks where the plan has them; empty if it can
  bool namesHosts = false;  ///< whether the text depends on the names of the hosts
};

/// The flags of the framework, the hosts for Open MPI, Slurm and torchrun, the communication of the step as a
/// workload, and a report on it. For a plan that needs a rank file the hosts say where every rank starts; where there
/// is no such file, they have its problem and the rest is complete. `hosts` are the names of the hosts
/// (devicesPerHost()) in the order of the devices; empty for node0, node1, … Errors: another number of them.
[[nodiscard]] Result<std::vector<LaunchFile>> launchFiles(const TrainingQuestion& question,
                                                          const PlannedConfiguration& planned,
                                                          std::vector<std::string> hosts = {});

}  // namespace p2::inline training_answer
