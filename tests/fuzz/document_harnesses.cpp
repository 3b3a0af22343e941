// SPDX-License-Identifier: GPL-3.0-or-later
// Our own files.
#include <array>

#include "exporters/exporters.h"
#include "fuzz/expect.h"
#include "fuzz/harness.h"
#include "graphs/detail/graph_json.h"
#include "graphs/strategy_json.h"
#include "lesson/lesson.h"
#include "mapping/strategy_plan.h"
#include "plan/plan.h"
#include "plan/verify.h"
#include "runs/run_record.h"
#include "runs/runs_file.h"
#include "strategy/graph_repeats.h"
#include "system/valid_system.h"
#include "workload/sources.h"
#include "workload/workload_json.h"
#include "workspace/workspace.h"

namespace p2::fuzz {
namespace {

constexpr std::int64_t kMostVerified = 64;  // devices of a plan that is carried out

void workspace(std::string_view text) {
  const auto value = workspaceFromJson(text);
  if (!read(value)) return;
  read(checkWorkspace(*value));
  expectStable(*value, workspaceToJson, [](const std::string& written) { return workspaceFromJson(written); });
}

void systemFile(std::string_view text) {
  const auto value = systemFromJson(text);
  if (!read(value)) return;
  read(validated(*value));
  expectStable(*value, systemToJson, [](const std::string& written) { return systemFromJson(written); });
}

void plan(std::string_view text) {
  const auto value = planFromJson(text);
  if (!read(value)) return;
  if (value->deviceCount() <= kMostVerified) read(verify(*value));
  expectStable(*value, planToJson, [](const std::string& written) { return planFromJson(written); });
}

/// Whatever runs can be written down in every format, or a sentence says why not.
void exported(std::string_view text) {
  const auto value = planFromJson(text);
  if (!read(value) || value->deviceCount() > kMostVerified || !read(verify(*value))) return;
  for (const ExportFormat& format : exportFormats(ExportSubject::Plan)) read(exportPlan(*value, format.name));
}

void workload(std::string_view text) {
  const auto value = workloadFromJson(text);
  if (read(value))
    expectStable(*value, workloadToJson, [](const std::string& written) { return workloadFromJson(written); });
}

/// A model says what its training communicates once it has degrees; some files have their own.
void model(std::string_view text) {
  for (const bool given : {false, true}) {
    WorkloadReading reading;
    if (given) reading.changes = {{"tp", "2"}, {"pp", "2"}, {"dp", "4"}, {"zero", "3"}};
    const auto value = workloadFromText(text, "a text", reading);
    if (!read(value)) continue;
    expect(checkWorkload(value->workload).ok(), "a workload that was made can be worked with");
    expectStable(value->workload, workloadToJson, [](const std::string& written) { return workloadFromJson(written); });
  }
}

void graph(std::string_view text) {
  const auto value = graphFromJson(text);
  if (read(value)) expectStable(*value, graphToJson, [](const std::string& written) { return graphFromJson(written); });
}

void tables(std::string_view text) {
  const auto value = strategyProblemFromJson(std::string(text));
  if (!read(value)) return;
  for (const ExportFormat& format : exportFormats(ExportSubject::CostTables)) {
    read(exportCostTables(*value, format.name));
  }
  for (const Repeat& repeat : repeatsOf(*value, nullptr))
    expect(repeat.copies.size() > 1, "what repeats is there twice");
}

void strategyFile(std::string_view text) { read(strategyFileFromJson(std::string(text))); }

/// Of the graph of two operators whose strategies are seeds.
void strategyPlan(std::string_view text) {
  static const ComputationGraph kGraph =
      graphFromJson(R"({"format":"p2-graph","version":1,"name":"two","operators":[)"
                    R"({"name":"fc1","kind":"gemm","dimensions":{"b":64,"n":64,"k":32},"inputs":{"x":["b","k"]},)"
                    R"("parameters":{"w":["k","n"]},"outputs":{"y":["b","n"]}},)"
                    R"({"name":"fc2","kind":"gemm","dimensions":{"b":64,"n":32,"k":64},"inputs":{"x":["b","k"]},)"
                    R"("parameters":{"w":["k","n"]},"outputs":{"y":["b","n"]}}],"edges":[["fc1.y","fc2.x"]]})")
          .value();
  const auto value = strategyPlanFromJson(text, kGraph);
  if (!read(value)) return;
  expect(value->pins.size() == kGraph.operators.size(), "a strategy speaks of every operator");
  for (const StrategyPlan::Stage& stage : value->stages) expect(!stage.operators.empty(), "every stage has operators");
}

void lesson(std::string_view text) { read(lessonFromJson(text)); }

void runRecord(std::string_view text) {
  const auto value = runRecordFromJson(text);
  if (read(value)) expectSame(runRecordFromJson(runRecordToJson(*value)), *value);
}

void runs(std::string_view text) {
  const auto value = runsFromJson(text);
  if (read(value)) expectStable(*value, runsToJson, [](const std::string& written) { return runsFromJson(written); });
}

constexpr std::array kHarnesses{
    Harness{"workspace", workspace, "resources/examples/*.json tests/data/plans/*.json"},
    Harness{"system_json", systemFile, "resources/presets/*.json resources/examples/*.json"},
    Harness{"plan", plan, "tests/data/plans/*.json"},
    Harness{"export", exported, "tests/data/plans/*.json tests/fuzz/corpus/plan/*.json"},
    Harness{"workload", workload, ""},
    Harness{"model", model, "resources/workloads/*.json"},
    Harness{"graph", graph, "resources/graphs/*.json"},
    Harness{"tables", tables, "resources/lessons/literal/*.json tests/data/strategy/*.json"},
    Harness{"strategy_file", strategyFile, "resources/lessons/literal/*.json resources/graphs/*.json"},
    Harness{"strategy_plan", strategyPlan, ""},
    Harness{"lesson", lesson, "resources/lessons/*.json"},
    Harness{"run_record", runRecord, ""},
    Harness{"runs", runs, ""},
};

}  // namespace

std::span<const Harness> documentHarnesses() { return kHarnesses; }

}  // namespace p2::fuzz
