// SPDX-License-Identifier: GPL-3.0-or-later
// The whole claim on one machine: every program of a placement runs on a cluster of network namespaces with slow links
// (see `cluster`), through the runner that users have, and what was measured is held against the simulator.
//   testbed RACKS NODES RANKS [--trunk MBIT] [--bytes N] [--most N] [--model NAME] [--overlap [PIECES]]
//           [--check|--check-roughly]
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>
#include <utility>

#include "base/numbers.h"
#include "base/units.h"
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
constexpr double kNic = 100;           // Mbit/s
constexpr double kMemory = 1e9;        // bytes/s between ranks of one node
constexpr double kMostOthers = 1;      // that want each core, beyond which times say more of them than of programs

[[noreturn]] void stop(const std::string& sentence, int status) {
  std::cerr << "testbed: " << sentence << std::endl;
  std::exit(status);
}

template <class T>
T valueOf(Result<T> result) {
  if (!result.ok()) stop(result.error().text(), 1);
  return std::move(result).value();
}

struct Shape {
  int racks = 1;
  int nodes = 2;  ///< of each rack
  int ranks = 4;  ///< of each node
  double trunk = kNic;
  double bytes = 4 * 1024 * 1024;
  std::size_t most = 1000;  ///< programs
  std::string model = "paper";
  bool overlap = false;       ///< each program also with overlapping steps
  std::optional<int> pieces;  ///< in as many as is predicted to pay if none
  enum class Check { None, Roughly, Exactly } check = Check::None;
};

/// The cluster while it stands.
class Cluster {
 public:
  explicit Cluster(const Shape& shape) : m_shape(shape) {
    std::string name = (std::filesystem::temp_directory_path() / "p2-testbed-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) stop("no temporary folder can be made", 1);
    m_folder = name;
    watch();
    const auto rate = [](double mbit) { return std::to_string(int(mbit)) + "mbit"; };
    const std::string command = script() + " up " + m_folder + " " + std::to_string(shape.racks) + " " +
                                std::to_string(shape.nodes) + " " + rate(kNic) + " " + rate(shape.trunk);
    if (std::system(command.c_str()) != 0) {
      end();
      stop("network namespaces cannot be made here; skipped", kSkipped);
    }
    // From here on nothing that is started may keep it open.
    ::fcntl(m_alive, F_SETFD, FD_CLOEXEC);
  }
  ~Cluster() { end(); }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  [[nodiscard]] Target target() const {
    Target target;
    target.runner = m_folder + "/runner";
    const std::string net = "10.231.0.0/24";
    target.launch.arguments = {"--mca",
                               "plm",
                               "rsh",
                               "--mca",
                               "plm_rsh_agent",
                               m_folder + "/agent",
                               "--mca",
                               "pml",
                               "ob1",
                               "--mca",
                               "btl",
                               "self,vader,tcp",
                               "--mca",
                               "btl_tcp_if_include",
                               net,
                               "--mca",
                               "oob_tcp_if_include",
                               net,
                               "--mca",
                               "btl_tcp_flags",
                               "1",
                               "--mca",
                               "btl_tcp_max_send_size",
                               "32768",
                               "-H",
                               hosts()};
    // The algorithms the model describes: rings, and pipelined chains.
    for (const char* setting : {"coll_tuned_use_dynamic_rules 1", "coll_tuned_allreduce_algorithm 4",
                                "coll_tuned_reduce_scatter_algorithm 3", "coll_tuned_allgather_algorithm 4",
                                "coll_tuned_reduce_algorithm 3", "coll_tuned_reduce_algorithm_segmentsize 32768",
                                "coll_tuned_bcast_algorithm 3", "coll_tuned_bcast_algorithm_segmentsize 32768"}) {
      const std::string text = setting;
      const std::size_t blank = text.find(' ');
      target.launch.arguments.insert(target.launch.arguments.end(),
                                     {"--mca", text.substr(0, blank), text.substr(blank + 1)});
    }
    return target;
  }

 private:
  [[nodiscard]] static std::string script() { return std::string("'") + P2_CLUSTER + "'"; }
  [[nodiscard]] std::string hosts() const {
    std::string hosts;
    for (int node = 0; node < m_shape.racks * m_shape.nodes; ++node) {
      hosts += (node > 0 ? ",n" : "n") + std::to_string(node) + ":" + std::to_string(m_shape.ranks);
    }
    return hosts;
  }
  /// Has a process of its own wait for the end of this one, whatever ends it, signals that nobody hears included, and
  /// then take the cluster down. It notices that the other end of a pipe is closed, so whoever makes the cluster keeps
  /// it open as well.
  void watch() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) stop("no pipe can be made", 1);
    m_watcher = ::fork();
    if (m_watcher < 0) stop("no process can be started", 1);
    if (m_watcher > 0) {
      ::close(ends[0]);
      m_alive = ends[1];
      return;
    }
    ::setsid();
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(each, SIG_IGN);
    ::close(ends[1]);
    char nothing = 0;
    while (::read(ends[0], &nothing, 1) < 0 && errno == EINTR) {
    }
    ::execl(P2_CLUSTER, P2_CLUSTER, "down", m_folder.c_str(), nullptr);
    ::_exit(1);
  }
  void end() {
    if (m_alive < 0) return;
    ::close(std::exchange(m_alive, -1));
    int status = 0;
    if (::waitpid(m_watcher, &status, 0) < 0 || status != 0) std::cerr << "the cluster was not taken down\n";
  }

  Shape m_shape;
  std::string m_folder;
  int m_alive = -1;
  pid_t m_watcher = -1;
};

/// `latency` is that of every link, in seconds.
System systemOf(const Shape& shape, double latency = 0) {
  const auto level = [latency](const char* name, int count, double bandwidth) {
    return Level{name, count, {InterconnectKind::Switch, bandwidth, latency, {}}};
  };
  const auto data = [](double mbit) { return mbit * 1e6 / 8 * kFrameShare; };
  System system{"testbed", {level("node", shape.nodes, data(kNic)), level("gpu", shape.ranks, kMemory)}};
  if (shape.racks > 1) system.levels.insert(system.levels.begin(), level("rack", shape.racks, data(shape.trunk)));
  return valueOf(validated(std::move(system)));
}

struct Row {
  std::string name;
  Comparison seconds;
  Comparison overlapped = {};  ///< with Shape::overlap
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

/// Seconds that a link takes for a message without bytes, which every piece pays again: from one AllReduce of hardly
/// any, in which ranks wait for each other and for a core. Prices are linear in it.
double measuredLatency(RunnerSession& session, const Shape& shape, Workspace workspace) {
  constexpr double kPerRank = 64;
  const std::int64_t ranks = workspace.system.deviceCount();
  workspace.matrix = valueOf(explore(workspace, {}))->placements[0].matrix;
  workspace.program = "root:InsideGroup:AllReduce";
  workspace.options.cost.bytes = Bytes(kPerRank * double(ranks));
  const double measured = runOne(session, workspace, 1).seconds.median;
  workspace.system = systemOf(shape, 1);
  return measured / valueOf(predictRun(workspace, workspace.options.cost.bytes, 1)).seconds;
}

/// Every program of a workspace's placements, run and compared.
std::vector<Row> runAll(RunnerSession& session, const Workspace& workspace, const Shape& shape) {
  ExploreScope scope;
  scope.bestOverall = shape.most;
  const auto exploration = valueOf(explore(workspace, scope));
  std::vector<Row> rows;
  for (const auto& [placement, program] : rankedPrograms(*exploration)) {
    const PlacementResult& chosen = exploration->placements[placement];
    Workspace one = workspace;
    one.matrix = chosen.matrix;
    one.program = programText(*chosen.hierarchy, chosen.programs[program].program);
    const ProgramResult& predicted = chosen.programs[program];
    const std::string matrix = exploration->placements.size() > 1 ? one.matrix.text() + " " : "";
    Row row{matrix + one.program, {predicted.seconds, runOne(session, one, 1).seconds.median}};
    auto overlapped = predicted.overlapped;
    if (overlapped && shape.pieces && one.program.find(';') != std::string::npos) {
      overlapped = valueOf(predictRun(one, one.options.cost.bytes, shape.pieces)).overlapped;
    }
    if (overlapped) {
      const double measured =
          overlapped->chunks > 1 ? runOne(session, one, overlapped->chunks).seconds.median : row.seconds.measured;
      row.overlapped = {overlapped->seconds, measured};
      row.pieces = overlapped->chunks;
    }
    rows.push_back(std::move(row));
    std::cerr << '.' << std::flush;
  }
  std::cerr << '\n';
  return rows;
}

std::vector<Comparison> comparisons(const std::vector<Row>& rows, Comparison Row::*which = &Row::seconds) {
  std::vector<Comparison> all;
  for (const Row& row : rows) all.push_back(row.*which);
  return all;
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

void print(std::vector<Row> rows, bool overlap) {
  using Align = TextTable::Align;
  const auto column = [overlap](const char* name) { return overlap ? name : ""; };
  TextTable table({{"measured", Align::Right},
                   {"predicted", Align::Right},
                   {"", Align::Right},
                   {column("overlapped"), Align::Right},
                   {column("predicted"), Align::Right},
                   {" ", Align::Right},
                   {column("pieces"), Align::Right},
                   {"program"}});
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.seconds.measured < b.seconds.measured; });
  for (const Row& row : rows) {
    std::vector<std::string> cells{formatSeconds(row.seconds.measured), formatSeconds(row.seconds.predicted),
                                   errorText(row.seconds)};
    const std::vector<std::string> more{formatSeconds(row.overlapped.measured), formatSeconds(row.overlapped.predicted),
                                        errorText(row.overlapped), std::to_string(row.pieces)};
    overlap ? (void)cells.insert(cells.end(), more.begin(), more.end()) : cells.resize(cells.size() + more.size());
    cells.push_back(row.name);
    table.add(std::move(cells));
  }
  std::cout << table.text() << '\n';
  printQuality(overlap ? "one step after the other: " : "", comparisons(rows));
  if (overlap) printQuality("overlapping: ", comparisons(rows, &Row::overlapped));
}

const Row& rowOf(const std::vector<Row>& rows, const std::string& name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  if (found == rows.end()) stop("the experiment has no " + name, 1);
  return *found;
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
int judged(const std::vector<Row>& rows, bool roughly) {
  const std::vector<Comparison> all = comparisons(rows);
  const Row& flat = rowOf(rows, "root:InsideGroup:AllReduce");
  const Row& split = rowOf(rows,
                           "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; "
                           "node:InsideGroup:AllGather");
  const double gain = flat.seconds.measured / split.seconds.measured;
  std::cout << "ReduceScatter-AllReduce-AllGather is " << gain << " times as fast as one AllReduce, "
            << flat.seconds.predicted / split.seconds.predicted << " predicted" << std::endl;
  if (roughly) return medianError(all) <= 0.5 && spearman(all) >= 0.5 && gain > 1 ? 0 : 1;
  return medianError(all) <= 0.15 && topKF1(all, 10) >= 0.9 && regret(all) <= 1.1 ? 0 : 1;
}

Shape shapeFrom(int argc, char** argv) {
  const auto number = [&](int i) {
    const auto value = i < argc ? parseInteger(argv[i]) : std::nullopt;
    if (!value || *value < 1)
      stop(
          "usage: testbed RACKS NODES RANKS [--trunk MBIT] [--bytes N] [--most N] [--model NAME] [--overlap [PIECES]] "
          "[--check|--check-roughly]",
          2);
    return *value;
  };
  Shape shape;
  shape.racks = int(number(1));
  shape.nodes = int(number(2));
  shape.ranks = int(number(3));
  for (int i = 4; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--check") {
      shape.check = Shape::Check::Exactly;
    } else if (option == "--overlap") {
      if (i + 1 < argc && parseInteger(argv[i + 1])) shape.pieces = int(number(++i));
      shape.overlap = shape.pieces != 1;
    } else if (option == "--check-roughly") {
      shape.check = Shape::Check::Roughly;
    } else if (option == "--trunk") {
      shape.trunk = double(number(++i));
    } else if (option == "--bytes") {
      shape.bytes = double(number(++i));
    } else if (option == "--most") {
      shape.most = std::size_t(number(++i));
    } else if (option == "--model" && i + 1 < argc) {
      shape.model = argv[++i];
    } else {
      stop("there is no option " + option, 2);
    }
  }
  return shape;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const Shape shape = shapeFrom(argc, argv);
  if (::geteuid() != 0) stop("only root may make network namespaces; skipped", kSkipped);
  const bool roughly = shape.check == Shape::Check::Roughly;
  const bool busy = roughly && isBusy();
  ::setenv("P2_RUNNER", P2_RUNNER, 1);
  const Cluster cluster(shape);
  auto session = valueOf(RunnerSession::open(cluster.target()));
  Workspace workspace;
  workspace.system = systemOf(shape);
  workspace.axes = {{"all", workspace.system.deviceCount(), true}};
  workspace.options.cost.bytes = Bytes(shape.bytes);
  workspace.options.cost.repeat = 1;
  workspace.options.cost.model = shape.model;
  workspace.options.cost.algorithm = defaultAlgorithm(shape.model);
  if (shape.overlap) {
    const double latency = measuredLatency(session, shape, workspace);
    std::cout << "a message without bytes takes " << formatSeconds(latency) << '\n';
    workspace.system = systemOf(shape, latency);
    workspace.options.cost.overlap = true;
  }
  const std::vector<Row> rows = runAll(session, workspace, shape);
  print(rows, shape.overlap);
  if (shape.check == Shape::Check::None) return 0;
  if (busy) {
    std::cerr << "testbed: every element was right; others keep this machine too busy to judge times; skipped\n";
    return kSkipped;
  }
  return judged(rows, roughly);
}
