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
  std::string_view about;  ///< its use, one sentence
  std::string fileName;    ///< "hostfile"
  std::string text;
  std::string problem;  ///< why the launcher cannot start the ranks where the plan has them; empty if it can
};

/// Host names in a list as people write it: separated by blanks, commas or lines, ranges of numbers in brackets as
/// Slurm prints them ("node[01-16]", "a[1,3-5]"); "#" begins a comment, words after a host on its line such as
/// "slots=8" are left out. Errors: a range without an end, more than 100,000 hosts, no host name, the same host twice.
[[nodiscard]] Result<std::vector<std::string>> hostsFromList(std::string_view text);

/// The flags of the framework, the hosts for Open MPI, Slurm and torchrun, the communication of the step as a
/// workload, and a report on it. For a plan that needs a rank file the hosts say where every rank starts. `hosts` are the nodes in the
/// order of the devices; empty for node0, node1, … Errors: another number of hosts than nodes.
[[nodiscard]] Result<std::vector<LaunchFile>> launchFiles(const TrainingQuestion& question,
                                                          const PlannedConfiguration& planned,
                                                          std::vector<std::string> hosts = {});

}  // namespace p2::inline training_answer
