// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/answer_keys.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "synthesis/achieved.h"
#include "synthesis/program_hint.h"
#include "synthesis/program_notation.h"
#include "synthesis/wrong_step.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kSentence{"sentence", "Why a step or program is not valid"};
constexpr AnswerKey kComplete{"complete", "Whether the program reaches its goal, as valid"};
constexpr AnswerKey kRule{"rule", "The collective whose premises a step must meet"};
constexpr AnswerKey kGroup{"group",
                           "Devices of the group in which a step fails; members are the one or two that break it"};
constexpr AnswerKey kRows{"rows", "Chunks that a failed premise concerns"};
constexpr AnswerKey kColumns{"columns",
                             "Contributions that it concerns, by the numbers of their devices in the reduction group"};
constexpr AnswerKey kMissing{
    "missing",
    "The missing parts of a program that ends too early: count, representatives, and parts, each with the "
    "device, the chunk (null where all are concerned) and contributors"};
constexpr AnswerKey kFailingPairs{"failing_pairs",
                                  "Pairs of devices between which a premise fails: count, representatives (whether "
                                  "each stands for all equivalent devices) and pairs, each with members"};
constexpr AnswerKey kHint{"hint", "The nearest program that reaches the goal"};

struct CheckRequest : Request {
  std::string program;
};

/// The verdict on a program: how far it gets, and for a wrong one where it fails, which parts are missing and the
/// nearest right program.
struct Verdict {
  const ProgramTrace& trace;
  FailingPairs pairs;
  MissingParts missing;
  std::optional<ProgramHint> hint;
};

constexpr std::size_t kMostInJson = 1000;
constexpr std::size_t kMostInText = 5;

/// Why a program is not valid; empty if it is.
std::string sentenceOf(const ProgramTrace& trace) {
  if (trace.failure()) return trace.failure()->sentence;
  return trace.complete() ? "" : trace.problem()->message;
}

Value numbers(const std::vector<std::int64_t>& values) { return Value::wholes(values); }

/// The needs of a premise, and the place where it failed.
void addFailure(Document& step, const StepFailure& why) {
  step.field(kSentence, Value::text(why.sentence));
  if (!why.premise) {
    step.field("premise", Value::null()).field(kGroup, Value::null());
    return;
  }
  const PremiseFailure& failure = *why.premise;
  step.field("premise", Value::text(nameOf(failure.premise))).field(kGroup, numbers(numbersOf(failure.group)));
  step.field("members", numbers(numbersOf(failure.members)));
  step.field(kRows, numbers({failure.rows.begin(), failure.rows.end()}));
  step.field(kColumns, numbers({failure.columns.begin(), failure.columns.end()}));
}

constexpr Column<PremiseFailure> kPairColumns[] = {
    {"premise", "", [](const PremiseFailure& pair) { return Value::text(nameOf(pair.premise)); }},
    {"members", "", [](const PremiseFailure& pair) { return numbers(numbersOf(pair.members)); }},
    {kRows.name, "",
     [](const PremiseFailure& pair) {
       return numbers({pair.rows.begin(), pair.rows.end()});
     }},
    {kColumns.name, "",
     [](const PremiseFailure& pair) {
       return numbers({pair.columns.begin(), pair.columns.end()});
     }},
    {kSentence.name, "", [](const PremiseFailure& pair) { return Value::text(pair.sentence); }},
};

constexpr Column<MissingPart> kMissingColumns[] = {
    {"device", "", [](const MissingPart& part) { return Value::whole(part.device.value()); }},
    {"chunk", "", [](const MissingPart& part) { return part.chunk < 0 ? Value::null() : Value::whole(part.chunk); }},
    {"contributors", "", [](const MissingPart& part) { return numbers(numbersOf(part.contributors)); },
     TextTable::Align::Right, "Devices whose contribution to a missing part has arrived"},
    {kSentence.name, "", [](const MissingPart& part) { return Value::text(part.sentence); }},
};

/// {"count": …, "representatives": …, KEY: [...]}.
template <class Part>
Value partsOf(std::int64_t count, bool representatives, const char* key, std::span<const Column<Part>> columns,
              const std::vector<Part>& parts) {
  Document all;
  all.field("count", Value::whole(count)).field("representatives", Value::flag(representatives));
  Table table = tableOver<Part>(columns, parts);
  table.layout = Value::Layout::Lines;
  return Value::object(std::move(all.table(key, std::move(table))), Value::Layout::Lines);
}

/// The first of many parts that fail or are missing, for people.
template <class Parts>
void addParts(Document& answer, const Parts& parts, std::int64_t count, bool representatives) {
  for (std::size_t i = 0; i < parts.size() && i < kMostInText; ++i) {
    answer.line("  " + std::to_string(i + 1) + " of " + std::to_string(count) + ": " + parts[i].sentence);
  }
  if (representatives && count > 0) answer.line("  each stands for all equivalent devices");
}

/// Every step up to the first that fails.
Value stepsOf(const ProgramTrace& trace) {
  const Program& program = trace.program();
  const auto done = static_cast<std::size_t>(trace.validSteps());
  std::vector<Value> steps;
  for (std::size_t i = 0; i < program.size() && i <= done; ++i) {
    const Spelling spelling = spellingOf(program[i].pattern, trace.hierarchy().levelCount());
    Document step;
    step.field("valid", Value::flag(i < done)).field(kRule, Value::text(nameOf(program[i].collective)));
    step.field("slice", Value::text(trace.hierarchy().levelName(spelling.slice)));
    step.field("form", Value::text(formText(trace.hierarchy(), spelling)));
    if (i == done) addFailure(step, *trace.failure());
    steps.push_back(Value::object(std::move(step), Value::Layout::Lines));
  }
  return Value::list(std::move(steps), Value::Layout::Lines);
}

std::string markedSteps(const ProgramTrace& trace) {
  const Program& program = trace.program();
  const auto done = static_cast<std::size_t>(trace.validSteps());
  TextTable table({{}, {}, {}});
  for (std::size_t i = 0; i < program.size(); ++i) {
    const char* mark = i < done ? "✓" : i == done ? "✗" : "–";
    table.add({mark, "step " + std::to_string(i + 1), instructionText(trace.hierarchy(), program[i])});
  }
  return table.text();
}

/// Why a program does not reach its goal.
void addReasons(Document& answer, const Verdict& verdict) {
  const ProgramTrace& trace = verdict.trace;
  answer.line("not valid: " + sentenceOf(trace));
  if (trace.failure() && trace.failure()->premise) {
    const PremiseFailure& failure = *trace.failure()->premise;
    answer.line("premise of " + std::string(nameOf(failure.rule)) + ": " + std::string(nameOf(failure.premise)));
  }
  const FailingPairs& pairs = verdict.pairs;
  const MissingParts& missing = verdict.missing;
  if (pairs.count > 0) {
    answer.field(kFailingPairs,
                 partsOf<PremiseFailure>(pairs.count, pairs.representatives, "pairs", kPairColumns, pairs.pairs));
  }
  if (pairs.count > 1) addParts(answer, pairs.pairs, pairs.count, pairs.representatives);
  if (missing.count > 0) {
    answer.field(kMissing,
                 partsOf<MissingPart>(missing.count, missing.representatives, "parts", kMissingColumns, missing.parts));
  }
  addParts(answer, missing.parts, missing.count, missing.representatives);
  if (!verdict.hint) return;
  Document hint;
  hint.field("program", Value::text(programText(trace.hierarchy(), verdict.hint->program)));
  hint.field(kSentence, Value::text(verdict.hint->sentence));
  answer.field(kHint, Value::object(std::move(hint), Value::Layout::Lines));
  answer.line("hint: " + verdict.hint->sentence + ": " + programText(trace.hierarchy(), verdict.hint->program));
}

Document checkAnswer(const Verdict& verdict) {
  const ProgramTrace& trace = verdict.trace;
  Document answer;
  answer.field("valid", Value::flag(trace.complete())).field(kComplete, Value::flag(trace.complete()));
  if (!trace.complete()) answer.field(kSentence, Value::text(sentenceOf(trace)));
  answer.field("steps", stepsOf(trace)).text([&trace] { return markedSteps(trace); });
  if (trace.complete()) return answer.line("valid: in the end " + achievedOn(trace.hierarchy(), trace.goal()));
  addReasons(answer, verdict);
  return answer;
}

Result<int> run(const CheckRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto workspace, workspaceOf(request));
  const Placement placement(workspace.axes, workspace.matrix);
  const SynthesisHierarchy hierarchy(workspace.system, placement);
  const RuleSet rules = workspace.options.rules;
  const Goal& goal = workspace.options.goal;
  P2_TRY_ASSIGN(const auto program, readProgram(hierarchy, request.program, rules, goal).within("PROGRAM"));
  P2_TRY_ASSIGN(const auto trace, ProgramTrace::run(placement, hierarchy, program, rules, goal));
  Verdict verdict{trace,
                  failingPairs(placement, trace, isForPrograms(request.form) ? kMostInJson : kMostInText),
                  missingParts(placement, trace, isForPrograms(request.form) ? kMostInJson : kMostInText),
                  {}};
  if (!trace.complete()) verdict.hint = programHint(hierarchy, program, rules, goal);
  writeAnswer(out, checkAnswer(verdict), request.form);
  return trace.complete() ? kDone : kNo;
}

}  // namespace

std::vector<AnswerKey> checkKeys() {
  return together({{kComplete, kRule, kSentence, kGroup, kRows, kColumns, kFailingPairs, kMissing, kHint},
                   keysOf(kMissingColumns)});
}

void addCheck(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("check", "Check whether a program reaches its goal, and explain why not");
  const auto request = std::make_shared<CheckRequest>();
  addSystemArguments(*command, *request);
  addValue(*command, "PROGRAM", request->program,
           "Steps: \"node:InsideGroup:ReduceScatter; …\", \"RS·node → AR·node∥root → …\", or a title such as RS·AR·AG")
      ->required();
  addReduction(*command, *request);
  addMatrix(*command, *request, true);
  addGoal(*command, *request);
  addRuleSet(*command, *request);
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
