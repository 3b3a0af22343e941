// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cluster.h"
#include "workspace/workspace.h"

namespace p2 {

/// Ends the program with a sentence.
[[noreturn]] void stop(const std::string& sentence, int status);

template <class T>
T valueOf(Result<T> result) {
  if (!result.ok()) stop(result.error().text(), 1);
  return std::move(result).value();
}

/// What the command line asks for.
struct Experiment {
  ClusterShape cluster;
  double bytes = 4 * 1024 * 1024;
  std::size_t most = 1000;    ///< programs, the cheapest under the first model
  bool overlap = false;       ///< each program also with overlapping steps
  std::optional<int> pieces;  ///< in as many as is predicted to pay if none
  std::string runsFile;       ///< for the runs, as the explorer exports them; none if empty
  enum class Check { None, Roughly, Exactly } check = Check::None;
};

/// Ends the program with a sentence if the command line cannot be understood.
[[nodiscard]] Experiment experimentFrom(int argc, char** argv);

/// One reduction over all ranks of the cluster, priced by a model. `latency` is that of every link, in seconds.
[[nodiscard]] Workspace workspaceOf(const Experiment& experiment, const std::string& model, double latency);

/// One AllReduce of hardly any bytes, in which ranks wait for each other and for a core.
[[nodiscard]] Workspace emptyReduction(const Experiment& experiment, const std::string& model, double latency);

/// Seconds of every link with which a model predicts what an empty reduction took. Its prices are linear in them.
[[nodiscard]] double latencyFor(const Experiment& experiment, const std::string& model, double measured);

}  // namespace p2
