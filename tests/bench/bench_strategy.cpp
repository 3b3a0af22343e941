// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <limits>
#include <optional>

#include "base/units.h"
#include "exporters/exporters.h"
#include "graphs/strategy_json.h"
#include "graphs/strategy_source.h"
#include "mapping/mapped_baselines.h"
#include "strategy/detail/exact_solver.h"
#include "text/text_file.h"
#include "text/text_table.h"
#include "workspace/workspace.h"

// The exact solver against toulbar2, if that is installed: whole processes, reading the file included, the fastest of
// several runs one after the other. Instances are those of tests/data/strategy and of $P2_STRATEGY_DATA. Then
// strategies on meshes, once each, by the processor's time.
namespace {

using namespace p2;
using Clock = std::chrono::steady_clock;

constexpr int kRuns = 20;
constexpr double kLongRun = 2;  // seconds after which once is enough

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

template <class Run>
double fastest(const Run& run) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < kRuns; ++i) {
    const auto start = Clock::now();
    run();
    const double seconds = secondsSince(start);
    best = std::min(best, seconds);
    if (seconds > kLongRun) break;
  }
  return best;
}

/// Runs a program to its end with its output in a file. False when it cannot be run or fails.
bool process(std::vector<std::string> arguments, const std::string& output) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string milliseconds(double seconds) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.1f", seconds * 1e3);
  return text;
}

/// Seconds of toulbar2, or nothing when it is not there or does not find the cost.
std::optional<double> toulbar2(const StrategyProblem& problem, double cost, const std::string& folder) {
  const std::string input = folder + "/problem.wcsp";
  const std::string output = folder + "/toulbar2.txt";
  if (!writeTextFile(input, strategyProblemToWcsp(problem)).ok()) return std::nullopt;
  bool ran = true;
  const double seconds = fastest([&] { ran = ran && process({"toulbar2", input}, output); });
  const auto text = readTextFile(output);
  const std::string mark = "Optimum: ";
  const std::size_t at = ran && text.ok() ? text->find(mark) : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  const double found = std::strtod(text->c_str() + at + mark.size(), nullptr) * costStep(problem);
  return std::abs(found - cost) < 1 ? std::optional(seconds) : std::nullopt;
}

/// The mean of solving again with each of ten vertices pinned to another configuration than its best.
double pinnedSeconds(const StrategyProblem& problem, const Strategy& best) {
  constexpr std::size_t kPins = 10;
  const std::size_t count = std::min(kPins, problem.vertices.size());
  const auto start = Clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t vertex = i * problem.vertices.size() / count;
    SolveOptions options;
    options.pinned.resize(problem.vertices.size());
    options.pinned[vertex] = best.choice[vertex] == 0 ? problem.domainOf(vertex).costs.size() - 1 : 0;
    if (!solveExactly(problem, options).ok()) std::abort();
  }
  return secondsSince(start) / static_cast<double>(count);
}

void addRow(TextTable& table, const std::filesystem::path& path, const std::string& folder) {
  const auto text = readTextFile(path.string());
  const auto file = text.ok() ? strategyFileFromJson(*text) : Result<StrategyFile>(text.error());
  if (!file.ok()) return table.add({path.stem().string(), file.error().text()});
  const StrategyProblem& problem = file->problem;
  const auto solution = solveExactly(problem);
  if (!solution.ok()) return table.add({path.stem().string(), solution.error().text()});
  const Strategy& best = solution->strategies[0];
  const SolveStatistics& statistics = solution->statistics;
  const bool right = file->bestCost && std::abs(best.cost - *file->bestCost) < 1;
  const double core = fastest([&] { (void)solveExactly(problem).ok(); });
  const double whole = fastest([&] {
    (void)process({P2_PROGRAM, "strategy", path.string(), "--json"}, folder + "/p2.txt");
  });
  const auto other = toulbar2(problem, best.cost, folder);
  table.add({path.stem().string(), std::to_string(problem.vertices.size()) + "/" + std::to_string(problem.edges.size()),
             std::to_string(statistics.cells), formatBytes(Bytes(static_cast<double>(statistics.bytes))),
             milliseconds(core), milliseconds(pinnedSeconds(problem, best)), milliseconds(whole),
             other ? milliseconds(*other) : "–", other ? formatFactor(*other / whole) : "–", right ? "yes" : "NO"});
}

/// A strategy on the meshes of a system, and everything that it is compared with.
struct OnMeshes {
  const char* graph;
  const char* system;
  std::int64_t sequences;  ///< of a pass; 0 where the graph has a batch of its own
};
constexpr OnMeshes kOnMeshes[] = {{"gpt2-medium", "dgx-h100:128", 0},
                                  {"llama3-70b", "dgx-h100:32", 256},
                                  {"mixtral-8x22b", "dgx-h100:32", 256},
                                  {"mixtral-8x22b", "dgx-h100:128", 1024},
                                  {"deepseek-v3", "dgx-h100:128", 512}};

/// The processor's seconds since a moment of its own clock.
double processorSeconds(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC);
}

void addRow(TextTable& table, const OnMeshes& each) {
  GraphSizes sizes;
  if (each.sequences > 0) sizes.batch = each.sequences;
  const auto loaded = graphFromArgument(each.graph, sizes);
  const auto system = systemFromArgument(each.system);
  if (!loaded.ok() || !system.ok()) return table.add({each.graph, each.system, "cannot be read"});
  GraphCostOptions options = StrategyChoice{}.options;
  options.devices = system->deviceCount();
  options.model = StrategyCostModel::Hierarchical;
  options.space.cutoff = 1;
  options.memory = {Optimizer::Adam, kMostZero, Recomputation::Selective};
  options = filledIn(options, *system);
  const auto valid = validated(*system);
  if (!valid.ok()) return table.add({each.graph, each.system, valid.error().text()});
  HierarchicalPrices prices(*valid, ownPricing(*system));
  SimulatedMeshPricer pricer(prices);
  const std::clock_t start = std::clock();
  const auto best = solveMapped(loaded->graph, options, *system, pricer);
  const double solving = processorSeconds(start);
  if (!best.ok()) return table.add({each.graph, each.system, best.error().text(), milliseconds(solving)});
  const double cost = best->bounded.solution.strategies.front().cost;
  const std::clock_t compared = std::clock();
  std::string factors;
  for (const MappedBaseline baseline : mappedBaselinesOf(loaded->graph)) {
    const auto answer = mappedBaseline(loaded->graph, options, *system, pricer, baseline);
    factors += (factors.empty() ? "" : ", ") + std::string(nameOf(baseline)) + " " +
               (answer.ok() ? formatFactor(answer->split.total() / cost) + (answer->fits ? "" : " (too large)") : "–");
  }
  table.add({each.graph, each.system, formatSeconds(cost) + (best->bounded.optimal ? "" : " (not proven)"),
             milliseconds(solving), milliseconds(processorSeconds(compared)), factors});
}

}  // namespace

int main() {
  char folder[] = "/tmp/bench_strategy.XXXXXX";
  if (::mkdtemp(folder) == nullptr) return 1;
  std::vector<std::filesystem::path> paths;
  for (const char* place : {P2_TEST_DATA "/strategy", static_cast<const char*>(std::getenv("P2_STRATEGY_DATA"))}) {
    if (place == nullptr) continue;
    for (const auto& entry : std::filesystem::directory_iterator(place)) {
      const bool known = std::any_of(paths.begin(), paths.end(),
                                     [&](const auto& path) { return path.filename() == entry.path().filename(); });
      if (entry.path().extension() == ".json" && !known) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  constexpr auto kRight = TextTable::Align::Right;
  TextTable table({{"instance"},
                   {"graph", kRight},
                   {"cells", kRight},
                   {"memory", kRight},
                   {"solve ms", kRight},
                   {"pinned ms", kRight},
                   {"p2 ms", kRight},
                   {"toulbar2 ms", kRight},
                   {"ratio", kRight},
                   {"optimum"}});
  for (const std::filesystem::path& path : paths) addRow(table, path, folder);
  std::cout << table.text() << std::endl;
  TextTable meshes({{"graph"}, {"system"}, {"cost"}, {"CPU ms", kRight}, {"baselines CPU ms", kRight}, {"dearer by"}});
  for (const OnMeshes& each : kOnMeshes) addRow(meshes, each);
  std::cout << meshes.text();
  std::filesystem::remove_all(folder);
  return 0;
}
