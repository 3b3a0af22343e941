// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "base/counted.h"
#include "base/units.h"
#include "text/document.h"
#include "text/text_file.h"
#include "timeline/chrome_trace.h"
#include "timeline/plan_timeline.h"
#include "timeline/run_timeline.h"

namespace p2::cli {
namespace {

struct CompareRunRequest {
  std::vector<std::string> files;
  std::optional<std::string> plan;
  std::optional<std::string> trace;
  bool json = false;
};

constexpr std::string_view kVerdicts[] = {"unknown", "as predicted", "faster", "slow link", "late rank", "scattered"};

using Align = TextTable::Align;
constexpr Column<MeasuredCollective> kColumns[] = {
    {"collective", "collective", [](const MeasuredCollective& each) { return Value::text(each.name); }, Align::Left},
    {"bytes", "bytes",
     [](const MeasuredCollective& each) {
       return each.bytes > 0 ? Value::number(each.bytes, Unit::Bytes) : Value::null();
     }},
    {"members", "devices",
     [](const MeasuredCollective& each) { return each.members > 0 ? Value::whole(each.members) : Value::null(); }},
    {"group", "group", [](const MeasuredCollective& each) { return Value::text(each.group); }, Align::Left},
    {"ranks", "", [](const MeasuredCollective& each) { return Value::whole(each.ranks); }},
    {"runs", "runs", [](const MeasuredCollective& each) { return Value::whole(each.runs); }},
    {"transfer_seconds", "transfer",
     [](const MeasuredCollective& each) { return Value::number(each.transfer, Unit::Seconds); }},
    {"predicted_seconds", "predicted",
     [](const MeasuredCollective& each) { return Value::number(each.predicted, Unit::Seconds); }},
    {"wait_seconds", "wait", [](const MeasuredCollective& each) { return Value::number(each.wait, Unit::Seconds); }},
    {"late_rank", "",
     [](const MeasuredCollective& each) { return each.late >= 0 ? Value::whole(each.late) : Value::null(); }},
    {"verdict", "",
     [](const MeasuredCollective& each) { return Value::text(kVerdicts[static_cast<std::size_t>(verdictOf(each))]); }},
    {"reason", "why", [](const MeasuredCollective& each) { return Value::text(describeVerdict(each)); }, Align::Left},
};

Result<int> run(const CompareRunRequest& request, std::ostream& out) {
  std::vector<RunTrace> traces;
  for (const std::string& file : request.files) {
    P2_TRY_ASSIGN(auto read, readRunTraces(file));
    for (RunTrace& each : read) traces.push_back(std::move(each));
  }
  std::vector<MeasuredCollective> measured = collectivesOf(traces);
  std::vector<Timeline> timelines;
  if (request.plan) {
    P2_TRY_ASSIGN(auto text, readTextFile(*request.plan));
    P2_TRY_ASSIGN(const auto plan, planFromJson(text).within(*request.plan));
    addPredictions(measured, plan);
    P2_TRY_ASSIGN(auto predicted, planTimeline(plan).within(*request.plan));
    timelines.push_back(std::move(predicted));
  }
  timelines.push_back(runTimeline(traces));
  Document document;
  document.field("ranks", Value::whole(static_cast<std::int64_t>(traces.size())))
      .field("seconds", Value::number(timelines.back().seconds));
  document.line(countedText(traces.size(), "rank") + ", " + countedText(timelines.back().slices.size(), "slice") +
                " in " + formatSeconds(timelines.back().seconds));
  document.table("collectives", tableOver<MeasuredCollective>(kColumns, measured));
  if (measured.empty()) document.line("no rank communicates in it");
  if (request.trace) {
    std::ostringstream written;
    std::vector<const Timeline*> shown;
    for (const Timeline& each : timelines) shown.push_back(&each);
    writeChromeTrace(written, shown);
    P2_TRY(writeTextFile(*request.trace, written.str()));
  }
  writeAnswer(out, document, request.json ? AnswerForm::Json : AnswerForm::Text);
  return kDone;
}

}  // namespace

void addCompareRun(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("compare-run", "Compare a measured run with a plan: slow links and late ranks, line by line");
  const auto request = std::make_shared<CompareRunRequest>();
  command
      ->add_option("FILES", request->files,
                   "Traces of the ranks: PyTorch profiler (Kineto), Nsight Systems as SQLite, NCCL Inspector")
      ->required();
  command->add_option_function<std::string>(
      "--plan", [request](const std::string& file) { request->plan = file; },
      "The plan that was run, as p2 plan writes it: predictions next to the measured times");
  command->add_option_function<std::string>(
      "--trace", [request](const std::string& file) { request->trace = file; },
      "Also write both as a timeline for Perfetto to this file, predicted above measured");
  command->add_flag("--json", request->json, "Print one JSON object instead of a table");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
