// SPDX-License-Identifier: GPL-3.0-or-later
// The whole claim on one machine: every program of a placement runs on a cluster of network namespaces with slow links,
// through the runner that users have, and what was measured is held against the simulator under every cost model.
//   testbed RACKS NODES RANKS [--trunk MBIT] [--bytes N] [--most N] [--overlap [PIECES]] [--runs FILE]
//     [--check|--check-roughly]
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
#include "experiment.h"
#include "explore/run_prediction.h"
#include "plan/plan.h"
#include "remote/runner_session.h"
#include "runs/runs_file.h"
#include "text/text_file.h"
#include "text/text_table.h"
#include "workspace/presets.h"

using namespace p2;

namespace {

constexpr int kSkipped = 77;
constexpr double kMostOthers = 1;  // that want each core, beyond which times say more of them than of programs
constexpr const char* kModels[] = {"paper", "nccl"};

/// A program that ran. Seconds.
struct Row {
  std::string name;
  ParallelismMatrix matrix;
  std::string program;
  double measured = 0;
  double overlapped = 0;  ///< measured with Experiment::overlap
  int pieces = 1;
};

/// What ran, as the explorer keeps it, with what the workspace's model predicted.
RunRecord recordOf(const Workspace& workspace, const std::string& plan, const RunResult& result) {
  RunRecord record;
  record.when = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  record.target = "testbed";
  record.system = workspace.system.name;
  record.axes = "all " + std::to_string(workspace.system.deviceCount()) + " ∑";
  record.matrix = workspace.matrix.text();
  record.program = workspace.program;
  record.plan = plan;
  const ProgramResult predicted = valueOf(predictRun(workspace, result.bytes, result.pieces));
  record.predicted = predicted.overlapped ? predicted.overlapped->seconds : predicted.seconds;
  record.result = result;
  return record;
}

RunResult runOne(RunnerSession& session, const Workspace& workspace, int pieces,
                 std::vector<RunRecord>* kept = nullptr) {
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
  if (kept) kept->push_back(recordOf(workspace, request.plan, result));
  return result;
}

/// Every program of a workspace's placements, run.
std::vector<Row> runAll(RunnerSession& session, const Workspace& workspace, const Experiment& experiment) {
  ExploreScope scope;
  scope.bestOverall = experiment.most;
  const auto exploration = valueOf(exploreWorkspace(workspace, scope));
  std::vector<Row> rows;
  std::vector<RunRecord> kept;
  for (const auto& [placement, program] : rankedPrograms(*exploration)) {
    const PlacementResult& chosen = exploration->placements[placement];
    const ProgramResult& predicted = chosen.programs[program];
    Workspace one = workspace;
    one.matrix = chosen.matrix;
    one.program = programText(*chosen.hierarchy, predicted.program);
    const std::string matrix = exploration->placements.size() > 1 ? one.matrix.text() + " " : "";
    Row row{matrix + one.program, one.matrix, one.program, runOne(session, one, 1, &kept).seconds.median};
    row.overlapped = row.measured;
    if (experiment.overlap) {
      const auto asked = predicted.steps.size() > 1 ? experiment.pieces : 1;
      const auto overlapped = valueOf(predictRun(one, one.options.cost.bytes, asked)).overlapped;
      row.pieces = overlapped ? overlapped->chunks : 1;
      if (row.pieces > 1) row.overlapped = runOne(session, one, row.pieces, &kept).seconds.median;
    }
    rows.push_back(std::move(row));
    std::cerr << '.' << std::flush;
  }
  std::cerr << '\n';
  if (!experiment.runsFile.empty()) {
    if (const auto done = writeTextFile(experiment.runsFile, runsToJson(kept)); !done.ok())
      stop(done.error().text(), 1);
  }
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

/// Whether others keep this machine so busy that ranks wait for a core. Takes two seconds of the clock: what others do
/// in that time is the answer, so that there is no event to wait for.
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
