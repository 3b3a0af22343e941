// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <fstream>
#include <string>
#include <vector>

#include "explore/explore.h"
#include "workspace/presets.h"

// The 42 configurations of the paper's appendix: every placement enumerated, every program synthesized, ranked and
// priced, under nccl with all three protocols. The paper reports 8.7 s for the synthesis and 24 s (ring) and 26 s
// (tree) for the simulation.
namespace {

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<p2::Workspace> configurations() {
  std::vector<p2::Workspace> all;
  std::ifstream file(P2_TEST_DATA "/paper/paper_configurations.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const auto fields = fieldsOf(line);
    const auto inner = [](const std::string& list) { return list.substr(1, list.size() - 2); };
    p2::Workspace workspace;
    workspace.system = p2::presetSystem(fields[0] == "A100" ? "gcp-a100" : "gcp-v100", std::stoi(fields[1])).value();
    workspace.axes = p2::withReduction(p2::parseAxes(inner(fields[3])).value(), inner(fields[4])).value();
    all.push_back(std::move(workspace));
  }
  return all;
}

void paperConfigurations(benchmark::State& state, const char* model) {
  const auto all = configurations();
  std::uint64_t programs = 0;
  for (auto _ : state) {
    programs = 0;
    for (p2::Workspace workspace : all) {
      workspace.options.cost.model = model;
      for (const p2::Algorithm algorithm : {p2::Algorithm::Ring, p2::Algorithm::Tree}) {
        workspace.options.cost.algorithm = algorithm;
        const auto exploration = p2::exploreWorkspace(workspace, {});
        for (const auto& placement : exploration.value()->placements) programs += placement.programs.size();
      }
    }
  }
  state.counters["configurations"] = static_cast<double>(all.size());
  state.counters["programs"] = static_cast<double>(programs);
}
BENCHMARK_CAPTURE(paperConfigurations, paper, "paper")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paperConfigurations, nccl, "nccl")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
