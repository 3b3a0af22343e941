// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "base/units.h"
#include "explore/explore.h"
#include "explore/run_prediction.h"

namespace p2 {
namespace {

constexpr double kFrameShare = 0.945;  // of a frame's bytes that are a program's, with TCP and 1500-byte frames
constexpr double kMemory = 1e9;        // bytes/s between ranks of one node

/// `latency` is that of every link, in seconds.
System systemOf(const ClusterShape& shape, double latency) {
  const auto level = [latency](const char* name, int count, double bandwidth) {
    return Level{name, count, {InterconnectKind::Switch, bandwidth, latency, {}}};
  };
  const auto data = [](double mbit) { return mbit * 1e6 / 8 * kFrameShare; };
  const std::string racks = shape.racks > 1 ? std::to_string(shape.racks) + "x" : "";
  const std::string name = racks + std::to_string(shape.nodes) + "x" + std::to_string(shape.ranks);
  System system{"testbed " + name, {level("node", shape.nodes, data(shape.nic)), level("gpu", shape.ranks, kMemory)}};
  if (shape.racks > 1) system.levels.insert(system.levels.begin(), level("rack", shape.racks, data(shape.trunk)));
  return valueOf(validated(std::move(system)));
}

}  // namespace

void stop(const std::string& sentence, int status) {
  std::cerr << "testbed: " << sentence << std::endl;
  std::exit(status);
}

Workspace workspaceOf(const Experiment& experiment, const std::string& model, double latency) {
  Workspace workspace;
  workspace.system = systemOf(experiment.cluster, latency);
  workspace.axes = {{"all", workspace.system.deviceCount(), true}};
  CostOptions& cost = workspace.options.cost;
  cost.bytes = Bytes(experiment.bytes);
  cost.repeat = 1;
  cost.model = model;
  cost.algorithm = Algorithm::Ring;  // which the cluster's collectives are told to take
  cost.overlap = experiment.overlap;
  return workspace;
}

Workspace emptyReduction(const Experiment& experiment, const std::string& model, double latency) {
  constexpr double kPerRank = 64;
  Workspace workspace = workspaceOf(experiment, model, latency);
  workspace.options.cost.bytes = Bytes(kPerRank * double(workspace.system.deviceCount()));
  workspace.matrix = valueOf(exploreWorkspace(workspace, {}))->placements[0].matrix;
  workspace.program = "root:InsideGroup:AllReduce";
  return workspace;
}

double latencyFor(const Experiment& experiment, const std::string& model, double measured) {
  const auto priced = [&](double latency) {
    const Workspace empty = emptyReduction(experiment, model, latency);
    return valueOf(predictRun(empty, empty.options.cost.bytes, 1)).seconds;
  };
  const double without = priced(0);
  return std::max(0.0, measured - without) / (priced(1) - without);
}

Experiment experimentFrom(int argc, char** argv) {
  const auto number = [&](int i) {
    const auto value = i < argc ? parseInteger(argv[i]) : std::nullopt;
    if (!value || *value < 1)
      stop(
          "usage: testbed RACKS NODES RANKS [--trunk MBIT] [--bytes N] [--most N] [--overlap [PIECES]] "
          "[--runs FILE] [--check|--check-roughly]",
          2);
    return *value;
  };
  Experiment experiment;
  experiment.cluster.racks = int(number(1));
  experiment.cluster.nodes = int(number(2));
  experiment.cluster.ranks = int(number(3));
  for (int i = 4; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--check") {
      experiment.check = Experiment::Check::Exactly;
    } else if (option == "--overlap") {
      if (i + 1 < argc && parseInteger(argv[i + 1])) experiment.pieces = int(number(++i));
      experiment.overlap = experiment.pieces != 1;
    } else if (option == "--check-roughly") {
      experiment.check = Experiment::Check::Roughly;
    } else if (option == "--trunk") {
      experiment.cluster.trunk = double(number(++i));
    } else if (option == "--bytes") {
      experiment.bytes = double(number(++i));
    } else if (option == "--most") {
      experiment.most = std::size_t(number(++i));
    } else if (option == "--runs" && i + 1 < argc) {
      experiment.runsFile = argv[++i];
    } else {
      stop("there is no option " + option, 2);
    }
  }
  return experiment;
}

}  // namespace p2
