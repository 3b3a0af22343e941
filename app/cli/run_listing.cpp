// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_listing.h"

#include <unistd.h>

#include <array>

#include "app/cli/answer_keys.h"
#include "base/counted.h"
#include "base/units.h"
#include "remote/launch_command.h"
#include "remote/runner_session.h"
#include "runs/run_json.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kLibrary{"library", "Name and version of the library that sends the messages"};
constexpr AnswerKey kRunnerVersion{"runner_version", "Version of p2-runner on the target"};
constexpr AnswerKey kPlanHash{"plan_hash", "Hash of the plan's text"};
constexpr AnswerKey kHosts{"hosts", "The host of every rank, in their order"};
constexpr AnswerKey kPlanText{"plan", "The text of the plan file"};
constexpr AnswerKey kWarmup{"warmup", "Number of repetitions before the timed ones"};
constexpr AnswerKey kCommands{"commands",
                              "Answer of --dry, a list of the commands in order: where (the machine), what (it does), "
                              "environment and arguments"};

using Align = TextTable::Align;

struct PlacedCommand {
  std::string where;
  const char* what;
  p2::Command command;
};

Value commandValue(const PlacedCommand& placed) {
  Document environment;
  for (const auto& [name, value] : placed.command.environment) environment.named(name, Value::text(value));
  Document fields;
  fields.field("where", Value::text(placed.where)).field("what", Value::text(placed.what));
  fields.field("environment", Value::object(std::move(environment)));
  fields.field("arguments", Value::texts(placed.command.arguments));
  return Value::object(std::move(fields), Value::Layout::Lines);
}

/// A line of the table: a step, or the whole program.
struct RunRow {
  std::string name;
  Spread seconds;
  double predicted = 0;
  std::optional<double> busBandwidth;
};

Value runSeconds(double seconds) { return Value::number(seconds, Unit::Seconds); }

constexpr Column<RunRow> kRunTableColumns[] = {
    {"", "step", [](const RunRow& row) { return Value::text(row.name); }, Align::Left},
    {"", "min", [](const RunRow& row) { return runSeconds(row.seconds.min); }},
    {"", "median", [](const RunRow& row) { return runSeconds(row.seconds.median); }},
    {"", "max", [](const RunRow& row) { return runSeconds(row.seconds.max); }},
    {"", "predicted", [](const RunRow& row) { return runSeconds(row.predicted); }},
    {"", "bus bandwidth",
     [](const RunRow& row) {
       return row.busBandwidth ? Value::number(*row.busBandwidth, Unit::BytesPerSecond) : Value();
     }},
};

Table runTable(const RunResult& result, const ProgramResult& predicted) {
  const bool overlaps = result.pieces > 1;
  std::vector<RunRow> rows;
  for (std::size_t i = 0; !overlaps && i < result.steps.size(); ++i) {
    const StepRun& step = result.steps[i];
    rows.push_back({std::to_string(i + 1) + " " + step.collective + " of " + std::to_string(step.members), step.seconds,
                    predicted.steps[i].seconds, step.busBandwidth});
  }
  rows.push_back({overlaps ? "whole program, overlapping" : "whole program", result.seconds, predicted.rankedSeconds(),
                  std::nullopt});
  const std::span columns(kRunTableColumns, std::size(kRunTableColumns) - (overlaps ? 1 : 0));
  const std::size_t count = rows.size();
  Table table = tableOf<RunRow>(columns, count, [rows = std::move(rows)](std::size_t row) { return rows[row]; });
  table.indent = 2;
  return table;
}

std::string overlapText(const RunResult& result, const ProgramResult& predicted, bool saysWhyNot) {
  if (result.pieces > 1) {
    return "in " + countedText(result.pieces, "piece") +
           ", which pass through the steps one behind the other, so that steps have no times of their own; " +
           formatSeconds(predicted.seconds) + " predicted without overlap";
  }
  return saysWhyNot ? "steps ran one after the other: overlapping them is not predicted to be faster" : "";
}

}  // namespace

std::vector<AnswerKey> runAnswerKeys() {
  return together({{kLibrary, kRunnerVersion, kPlanHash, kHosts, kPlanText, kWarmup, kCommands}, runKeys()});
}

Document runAnswer(const RunResult& result, const ProgramResult& predicted, const std::string& plan,
                   const RunSetting& setting, bool saysWhyNot) {
  Document answer;
  answer.field("backend", Value::text(result.backend)).field(kLibrary, Value::text(result.library));
  answer.field(kRunnerVersion, Value::text(result.version)).field(kPlanHash, Value::text(result.planHash));
  const auto ranks = static_cast<std::int64_t>(result.hosts.size());
  answer.field("ranks", Value::whole(ranks)).field(kHosts, Value::texts(result.hosts, Value::Layout::Lines));
  RunPrediction expected{predicted.rankedSeconds(), {}};
  for (const StepCost& step : predicted.steps) expected.steps.push_back(step.seconds);
  addRunFigures(answer, result, &expected);
  addRunSetting(answer, setting);
  answer.field(kPlanText, Value::text(plan));

  answer.line(result.library + " (" + result.backend + "), " + countedText(ranks, "rank") + ", " +
              formatBytes(result.bytes) + " per device, " + countedText(result.repeat, "repetition"));
  answer.line("").table("", runTable(result, predicted)).line("");
  const std::string overlap = overlapText(result, predicted, saysWhyNot);
  if (!overlap.empty()) answer.line(overlap);
  answer.line(result.wrongElements == 0 ? "every element is right, in float32 and in int64"
                                        : countedText(result.wrongElements, "element") + " wrong: the run has failed");
  return answer;
}

Result<Document> runCommandsAnswer(const Target& target, const RunRequest& request, const RunIdentity& identity) {
  const bool here = target.host.empty();
  const std::vector<std::string> runner = runnerCommand(target);
  const RunnerProgram program{here ? runner[0] : target.runner, request.pieces > 1, here && ::geteuid() == 0};
  P2_TRY_ASSIGN(const auto launch, launchCommand(target.launch, identity.ranks, program));
  const std::string place = here ? "this machine" : target.host;
  const std::array commands{PlacedCommand{"this machine", "starts the runner", {runner, {}}},
                            PlacedCommand{place, "starts the ranks, called by the runner", launch}};
  Document answer;
  std::vector<Value> values;
  for (const PlacedCommand& each : commands) {
    values.push_back(commandValue(each));
    answer.line("on " + each.where + ", " + each.what + ":").line("  " + shellText(each.command));
  }
  answer.field(kCommands, Value::list(std::move(values), Value::Layout::Lines));
  answer.line("nothing was run");
  answer.field(kPlanHash, Value::text(identity.planHash)).field("backend", Value::text(request.backend));
  answer.field("ranks", Value::whole(identity.ranks)).field("bytes", Value::number(request.bytes.value()));
  answer.field("repeat", Value::whole(request.repeat)).field(kWarmup, Value::whole(request.warmup));
  answer.field("pieces", Value::whole(request.pieces));
  return answer;
}

}  // namespace p2::cli
