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
/// (devicesPerHost()) in the order of the devices; empty for node0, node1, … `assumed`: TrainingAnswer::assumed, for
/// the report and for untrainedPart(). Errors: another number of hosts.
[[nodiscard]] Result<std::vector<LaunchFile>> launchFiles(const TrainingQuestion& question,
                                                          const PlannedConfiguration& planned,
                                                          std::vector<std::string> hosts = {},
                                                          const std::vector<std::string>& assumed = {});

/// The part of a published model that a plan leaves out: layers that predict further tokens, which `assumed` names
/// (kPredictingLayers), unless the plan trains them. A sentence without a full stop; empty for nothing.
[[nodiscard]] std::string untrainedPart(const ModelShape& model, const PlannedConfiguration& planned,
                                        const std::vector<std::string>& assumed);

/// launchTextOf(). Files and settings begin with a comment on untrainedPart(); arguments are passed on as they are, and
/// JSON has no comments.
[[nodiscard]] std::string commentedLaunchText(const ModelShape& model, const System& system,
                                              const PlannedConfiguration& planned,
                                              const std::vector<std::string>& assumed);

}  // namespace p2::inline training_answer
