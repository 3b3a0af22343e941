// SPDX-License-Identifier: GPL-3.0-or-later
// The whole claim on one machine: every program of a placement runs on a cluster of network namespaces with slow links,
// through the runner that users have, and what was measured is held against the simulator under every cost model.
//   testbed RACKS NODES RANKS [--trunk MBIT] [--bytes N] [--most N] [--overlap [PIECES]] [--check|--check-roughly]
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>
#include <utility>

#include "base/numbers.h"
#include "base/units.h"
#include "cluster.h"
#include "cost/ranking_quality.h"
#include "explore/run_prediction.h"
#include "plan/plan.h"
#include "remote/runner_session.h"
#include "text/text_table.h"
#include "workspace/presets.h"

using namespace p2;

namespace {

constexpr int kSkipped = 77;
constexpr double kFrameShare = 0.945;  // of a frame's bytes that are a program's, with TCP and 1500-byte frames
constexpr double kMemory = 1e9;        // bytes/s between ranks of one node
constexpr double kMostOthers = 1;      // that want each core, beyond which times say more of them than of programs
constexpr const char* kModels[] = {"paper", "nccl"};

[[noreturn]] void stop(const std::string& sentence, int status) {
  std::cerr << "testbed: " << sentence << std::endl;
  std::exit(status);
}

template <class T>
T valueOf(Result<T> result) {
  if (!result.ok()) stop(result.error().text(), 1);
  return std::move(result).value();
}

struct Experiment {
  ClusterShape cluster;
  double bytes = 4 * 1024 * 1024;
  std::size_t most = 1000;    ///< programs, the cheapest under the first model
  bool overlap = false;       ///< each program also with overlapping steps
  std::optional<int> pieces;  ///< in as many as is predicted to pay if none
  enum class Check { None, Roughly, Exactly } check = Check::None;
};

/// `latency` is that of every link, in seconds.
System systemOf(const ClusterShape& shape, double latency) {
  const auto level = [latency](const char* name, int count, double bandwidth) {
    return Level{name, count, {InterconnectKind::Switch, bandwidth, latency, {}}};
  };
  const auto data = [](double mbit) { return mbit * 1e6 / 8 * kFrameShare; };
  System system{"testbed", {level("node", shape.nodes, data(shape.nic)), level("gpu", shape.ranks, kMemory)}};
  if (shape.racks > 1) system.levels.insert(system.levels.begin(), level("rack", shape.racks, data(shape.trunk)));
  return valueOf(validated(std::move(system)));
}

/// One reduction over all ranks of the cluster, priced by a model.
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

/// A program that ran. Seconds.
struct Row {
  std::string name;
  ParallelismMatrix matrix;
  std::string program;
  double measured = 0;
  double overlapped = 0;  ///< measured with Experiment::overlap
  int pieces = 1;
};

RunResult runOne(RunnerSession& session, const Workspace& workspace, int pieces) {
  RunRequest request;
  request.plan = planToJson(valueOf(makePlan(workspace)));
  request.bytes = workspace.options.cost.bytes;
  request.repeat = 3;
  request.warmup = 1;
  request.pieces = pieces;
  RunResult result = valueOf(session.run(request));
  if (result.pieces != pieces) stop(workspace.program + " was not run in as many pieces as asked for", 1);
  if (result.wrongElements != 0) {
    stop(workspace.program + ": " + std::to_string(result.wrongElements) + " wrong elements", 1);
  }
  return result;
}

/// One AllReduce of hardly any bytes, in which ranks wait for each other and for a core.
Workspace emptyReduction(const Experiment& experiment, const std::string& model, double latency) {
  constexpr double kPerRank = 64;
  Workspace workspace = workspaceOf(experiment, model, latency);
  workspace.options.cost.bytes = Bytes(kPerRank * double(workspace.system.deviceCount()));
  workspace.matrix = valueOf(explore(workspace, {}))->placements[0].matrix;
  workspace.program = "root:InsideGroup:AllReduce";
  return workspace;
}

/// Seconds of every link with which a model predicts what an empty reduction took. Its prices are linear in them.
double latencyFor(const Experiment& experiment, const std::string& model, double measured) {
  const auto priced = [&](double latency) {
    const Workspace empty = emptyReduction(experiment, model, latency);
    return valueOf(predictRun(empty, empty.options.cost.bytes, 1)).seconds;
  };
  const double without = priced(0);
  return std::max(0.0, measured - without) / (priced(1) - without);
}

/// Every program of a workspace's placements, run.
std::vector<Row> runAll(RunnerSession& session, const Workspace& workspace, const Experiment& experiment) {
  ExploreScope scope;
  scope.bestOverall = experiment.most;
  const auto exploration = valueOf(explore(workspace, scope));
  std::vector<Row> rows;
  for (const auto& [placement, program] : rankedPrograms(*exploration)) {
    const PlacementResult& chosen = exploration->placements[placement];
    const ProgramResult& predicted = chosen.programs[program];
    Workspace one = workspace;
    one.matrix = chosen.matrix;
    one.program = programText(*chosen.hierarchy, predicted.program);
    const std::string matrix = exploration->placements.size() > 1 ? one.matrix.text() + " " : "";
    Row row{matrix + one.program, one.matrix, one.program, runOne(session, one, 1).seconds.median};
    row.overlapped = row.measured;
    if (experiment.overlap) {
      const auto asked = predicted.steps.size() > 1 ? experiment.pieces : 1;
      const auto overlapped = valueOf(predictRun(one, one.options.cost.bytes, asked)).overlapped;
      row.pieces = overlapped ? overlapped->chunks : 1;
      if (row.pieces > 1) row.overlapped = runOne(session, one, row.pieces).seconds.median;
    }
    rows.push_back(std::move(row));
    std::cerr << '.' << std::flush;
  }
  std::cerr << '\n';
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.measured < b.measured; });
  return rows;
}

/// What was measured beside what a model predicts, in the order of the rows.
struct Judgement {
  std::vector<Comparison> steps;       ///< one after the other
  std::vector<Comparison> overlapped;  ///< with Experiment::overlap
};

Judgement judgementOf(const std::vector<Row>& rows, Workspace workspace) {
  Judgement judgement;
  for (const Row& row : rows) {
    workspace.matrix = row.matrix;
    workspace.program = row.program;
    const auto predicted = [&](int pieces) {
      return valueOf(predictRun(workspace, workspace.options.cost.bytes, pieces));
    };
    judgement.steps.push_back({predicted(1).seconds, row.measured});
    if (!workspace.options.cost.overlap) continue;
    const auto pieces = row.pieces > 1 ? predicted(row.pieces).overlapped : std::nullopt;
    judgement.overlapped.push_back({pieces ? pieces->seconds : judgement.steps.back().predicted, row.overlapped});
  }
  return judgement;
}

std::string errorText(const Comparison& seconds) {
  std::array<char, 16> error{};
  std::snprintf(error.data(), error.size(), "%+.0f %%", 100 * (seconds.predicted / seconds.measured - 1));
  return error.data();
}

void printQuality(const char* what, const std::vector<Comparison>& all) {
  std::cout << what << "median error " << 100 * medianError(all) << " %, top-10 F1 " << topKF1(all, 10) << ", Spearman "
            << spearman(all) << ", regret " << regret(all) << std::endl;
}

void print(const std::vector<Row>& rows, const Judgement& judgement) {
  using Align = TextTable::Align;
  const bool overlap = !judgement.overlapped.empty();
  std::vector<TextTable::Column> columns{{"measured", Align::Right}, {"predicted", Align::Right}, {"", Align::Right}};
  if (overlap) {
    columns.insert(
        columns.end(),
        {{"overlapped", Align::Right}, {"predicted", Align::Right}, {" ", Align::Right}, {"pieces", Align::Right}});
  }
  columns.push_back({"program"});
  TextTable table(columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells;
    const auto add = [&cells](const Comparison& seconds) {
      cells.insert(cells.end(),
                   {formatSeconds(seconds.measured), formatSeconds(seconds.predicted), errorText(seconds)});
    };
    add(judgement.steps[i]);
    if (overlap) {
      add(judgement.overlapped[i]);
      cells.push_back(std::to_string(rows[i].pieces));
    }
    cells.push_back(rows[i].name);
    table.add(std::move(cells));
  }
  std::cout << table.text() << '\n';
  printQuality(overlap ? "one step after the other: " : "", judgement.steps);
  if (overlap) printQuality("overlapping: ", judgement.overlapped);
}

const Comparison& secondsOf(const std::vector<Row>& rows, const Judgement& judgement, const std::string& name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  if (found == rows.end()) stop("the experiment has no " + name, 1);
  return judgement.steps[std::size_t(found - rows.begin())];
}

/// Whether others keep this machine so busy that ranks wait for a core. Takes two seconds.
bool isBusy() {
  constexpr int kLooks = 40;
  double running = 0;
  for (int look = 0; look < kLooks; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    double load = 0;
    double now = 1;
    std::ifstream file("/proc/loadavg");
    for (int i = 0; i < 3; ++i) file >> load;
    if (file >> now) running += (now - 1) / kLooks;  // but for this program
  }
  return running > kMostOthers * std::max(1U, std::thread::hardware_concurrency());
}

/// Whether the experiment shows what it must; roughly, on a machine that others use too.
bool isShown(const std::vector<Row>& rows, const Judgement& judgement, bool roughly) {
  const std::vector<Comparison>& all = judgement.steps;
  const Comparison& flat = secondsOf(rows, judgement, "root:InsideGroup:AllReduce");
  const Comparison& split = secondsOf(rows, judgement,
                                      "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; "
                                      "node:InsideGroup:AllGather");
  const double gain = flat.measured / split.measured;
  std::cout << "ReduceScatter-AllReduce-AllGather is " << gain << " times as fast as one AllReduce, "
            << flat.predicted / split.predicted << " predicted" << std::endl;
  if (roughly) return medianError(all) <= 0.5 && spearman(all) >= 0.5 && gain > 1;
  return medianError(all) <= 0.15 && topKF1(all, 10) >= 0.9 && regret(all) <= 1.1;
}

Experiment experimentFrom(int argc, char** argv) {
  const auto number = [&](int i) {
    const auto value = i < argc ? parseInteger(argv[i]) : std::nullopt;
    if (!value || *value < 1)
      stop(
          "usage: testbed RACKS NODES RANKS [--trunk MBIT] [--bytes N] [--most N] [--overlap [PIECES]] "
          "[--check|--check-roughly]",
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
    } else {
      stop("there is no option " + option, 2);
    }
  }
  return experiment;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const Experiment experiment = experimentFrom(argc, argv);
  if (::geteuid() != 0) stop("only root may make network namespaces; skipped", kSkipped);
  const bool roughly = experiment.check == Experiment::Check::Roughly;
  const bool busy = roughly && isBusy();
  ::setenv("P2_RUNNER", P2_RUNNER, 1);
  const auto cluster = Cluster::standing(experiment.cluster);
  if (!cluster.ok()) stop(cluster.error().text() + "; skipped", kSkipped);
  auto session = valueOf(RunnerSession::open(cluster.value()->target()));

  // Every piece pays again what a message costs that carries nothing.
  double empty = 0;
  if (experiment.overlap) {
    empty = runOne(session, emptyReduction(experiment, kModels[0], 0), 1).seconds.median;
    std::cout << "an AllReduce of hardly any bytes takes " << formatSeconds(empty) << '\n';
  }
  const auto workspaceFor = [&](const std::string& model) {
    return workspaceOf(experiment, model, experiment.overlap ? latencyFor(experiment, model, empty) : 0);
  };
  const std::vector<Row> rows = runAll(session, workspaceFor(kModels[0]), experiment);
  bool shown = true;
  for (const char* model : kModels) {
    std::cout << "\nheld against the model " << model << '\n';
    const Judgement judgement = judgementOf(rows, workspaceFor(model));
    print(rows, judgement);
    if (experiment.check != Experiment::Check::None && !busy) shown = isShown(rows, judgement, roughly) && shown;
  }
  if (busy) {
    std::cerr << "testbed: every element was right; others keep this machine too busy to judge times; skipped\n";
    return kSkipped;
  }
  return shown ? 0 : 1;
}
