// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <sstream>

#include "app/cli/answer_keys.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "base/counted.h"
#include "base/units.h"
#include "run_answer/run_answer.h"
#include "text/document.h"
#include "text/text_file.h"
#include "timeline/chrome_trace.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kRanks{"ranks", "Recorded ranks"};
constexpr AnswerKey kSeconds{"seconds", "s, of the whole run"};
constexpr AnswerKey kMarkedSteps{"steps",
                                 "Training steps by the profiler's marks; absent, like the seconds below, without "
                                 "marks and without a training plan"};
constexpr AnswerKey kStepSeconds{"step_seconds", "s, of a training step, the mean of the ranks"};
constexpr AnswerKey kComputationSeconds{"computation_seconds", "s, of computation in a step"};
constexpr AnswerKey kExposedSeconds{"exposed_seconds", "s, of communication in a step that no computation hides"};
constexpr AnswerKey kOverlappedSeconds{"overlapped_seconds", "s, of communication in a step during computation"};
constexpr AnswerKey kIdleSeconds{"idle_seconds", "s, in a step without computation and communication"};
constexpr AnswerKey kStepParts{
    "parts",
    "With a training plan: part (step, computation, exposed communication, idle), measured_seconds, predicted_seconds"};
constexpr AnswerKey kCollectivesKey{
    "collectives",
    "List, most expensive first: collective, bytes (of the full tensor), members, group, ranks, runs, transfer_seconds "
    "(median of the shortest time over the ranks), predicted_seconds, wait_seconds (mean of the other ranks), "
    "late_rank, verdict (unknown, as predicted, faster, slow link, late rank, scattered), reason"};

struct CompareRunRequest {
  std::vector<std::string> files;
  std::optional<std::string> plan;
  std::optional<std::string> trace;
  AnswerForm form = AnswerForm::AsText;
};

constexpr std::string_view kVerdicts[] = {"unknown", "as predicted", "faster", "slow link", "late rank", "scattered"};

using Align = TextTable::Align;
constexpr Column<MeasuredCollective> kMeasuredColumns[] = {
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

constexpr Column<StepPart> kPartColumns[] = {
    {"part", "a training step", [](const StepPart& part) { return Value::text(part.name); }, Align::Left},
    {"measured_seconds", "measured", [](const StepPart& part) { return Value::number(part.measured, Unit::Seconds); }},
    {"predicted_seconds", "predicted",
     [](const StepPart& part) { return Value::number(part.predicted, Unit::Seconds); }},
};

/// Where the time of the recorded training steps goes, next to the prediction where there is one.
void addStep(const RunAnswer& answer, Document& document) {
  if (!answer.step) return;
  const RecordedStep& step = *answer.step;
  document.field(kMarkedSteps, Value::whole(step.steps)).field(kStepSeconds, Value::number(step.seconds));
  document.field(kComputationSeconds, Value::number(step.computation))
      .field(kExposedSeconds, Value::number(step.exposed))
      .field(kOverlappedSeconds, Value::number(step.overlapped))
      .field(kIdleSeconds, Value::number(step.idle));
  document.line(countedText(step.steps, "training step") +
                (step.marked ? " of " : ", since the trace has no marks of steps: the recording takes ") +
                formatSeconds(step.seconds) + ": computation " + formatSeconds(step.computation) +
                ", exposed communication " + formatSeconds(step.exposed) + ", idle " + formatSeconds(step.idle));
  if (answer.parts.empty()) return;
  document.table(kStepParts, tableOver<StepPart>(kPartColumns, answer.parts));
  document.line(describeParts(answer.parts));
}

Result<int> run(const CompareRunRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto answer, answerRun({request.files, request.plan.value_or("")}));
  const Timeline& measured = answer.measured();
  Document document;
  document.field(kRanks, Value::whole(static_cast<std::int64_t>(answer.ranks)))
      .field(kSeconds, Value::number(measured.seconds));
  document.line(countedText(answer.ranks, "rank") + ", " + countedText(measured.slices.size(), "slice") + " in " +
                formatSeconds(measured.seconds));
  addStep(answer, document);
  document.table(kCollectivesKey, tableOver<MeasuredCollective>(kMeasuredColumns, answer.collectives));
  if (answer.collectives.empty()) document.line("no rank communicates in it");
  if (request.trace) {
    std::ostringstream written;
    std::vector<const Timeline*> shown;
    for (const Timeline& each : answer.timelines) shown.push_back(&each);
    writeChromeTrace(written, shown);
    P2_TRY(writeTextFile(*request.trace, std::move(written).str()));
  }
  writeAnswer(out, document, request.form);
  return kDone;
}

}  // namespace

std::vector<AnswerKey> compareRunKeys() {
  return {kRanks,          kSeconds,           kMarkedSteps, kStepSeconds, kComputationSeconds,
          kExposedSeconds, kOverlappedSeconds, kIdleSeconds, kStepParts,   kCollectivesKey};
}

void addCompareRun(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("compare-run", "Compare a measured run with a plan: slow links and late ranks, line by line");
  const auto request = std::make_shared<CompareRunRequest>();
  addValue(*command, "FILES", request->files,
           "Traces of the ranks: PyTorch profiler (Kineto), Nsight Systems as SQLite, NCCL Inspector")
      ->required();
  addValue(*command, "--plan PLAN", request->plan,
           "The plan that was run, as p2 plan or p2 train -o writes it: predictions next to the measured times");
  addValue(*command, "--trace FILE", request->trace,
           "Also write both as a timeline for Perfetto to this file, predicted above measured");
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
