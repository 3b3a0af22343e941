// SPDX-License-Identifier: GPL-3.0-or-later
// Our own files.
#include <array>

#include "fuzz/expect.h"
#include "fuzz/harness.h"
#include "graphs/graph_json.h"
#include "graphs/strategy_json.h"
#include "lesson/lesson.h"
#include "plan/plan.h"
#include "plan/verify.h"
#include "runs/run_record.h"
#include "workload/workload_json.h"
#include "workspace/workspace.h"

namespace p2::fuzz {
namespace {

constexpr std::int64_t kMostVerified = 64;  // devices of a plan that is carried out

void workspace(std::string_view text) {
  const auto value = workspaceFromJson(text);
  if (read(value))
    expectStable(*value, workspaceToJson, [](const std::string& written) { return workspaceFromJson(written); });
}

void systemFile(std::string_view text) {
  const auto value = systemFromJson(text);
  if (read(value))
    expectStable(*value, systemToJson, [](const std::string& written) { return systemFromJson(written); });
}

void plan(std::string_view text) {
  const auto value = planFromJson(text);
  if (!read(value)) return;
  if (value->deviceCount() <= kMostVerified) read(verify(*value));
  expectStable(*value, planToJson, [](const std::string& written) { return planFromJson(written); });
}

void workload(std::string_view text) {
  const auto value = workloadFromJson(text);
  if (read(value))
    expectStable(*value, workloadToJson, [](const std::string& written) { return workloadFromJson(written); });
}

void graph(std::string_view text) {
  const auto value = graphFromJson(text);
  if (read(value)) expectStable(*value, graphToJson, [](const std::string& written) { return graphFromJson(written); });
}

void tables(std::string_view text) { read(strategyProblemFromJson(std::string(text))); }

void strategyFile(std::string_view text) { read(strategyFileFromJson(std::string(text))); }

void lesson(std::string_view text) { read(lessonFromJson(text)); }

void runRecord(std::string_view text) {
  const auto value = runRecordFromJson(text);
  if (read(value)) expectSame(runRecordFromJson(runRecordToJson(*value)), *value);
}

constexpr std::array kHarnesses{
    Harness{"workspace", workspace, "resources/examples/*.json tests/data/plans/*.json"},
    Harness{"system_json", systemFile, "resources/presets/*.json resources/examples/*.json"},
    Harness{"plan", plan, "tests/data/plans/*.json"},
    Harness{"workload", workload, "resources/workloads/*.json"},
    Harness{"graph", graph, "resources/graphs/*.json"},
    Harness{"tables", tables, "resources/lessons/literal/*.json tests/data/strategy/*.json"},
    Harness{"strategy_file", strategyFile, "resources/lessons/literal/*.json resources/graphs/*.json"},
    Harness{"lesson", lesson, "resources/lessons/*.json"},
    Harness{"run_record", runRecord, ""},
};

}  // namespace

std::span<const Harness> documentHarnesses() { return kHarnesses; }

}  // namespace p2::fuzz
