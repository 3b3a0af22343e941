// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "synthesis/program_hint.h"
#include "synthesis/program_notation.h"
#include "synthesis/wrong_step.h"
#include "text/json_writer.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

struct CheckRequest : Request {
  std::string program;
};

/// What is said of a program: how far it comes, and if it is wrong, where, what is missing, and what would be right.
struct Verdict {
  const ProgramTrace& trace;
  FailingPairs pairs;
  MissingParts missing;
  std::optional<ProgramHint> hint;
};

constexpr std::size_t kMostInJson = 1000;
constexpr std::size_t kMostInText = 5;

/// Why not, if not.
std::string sentenceOf(const ProgramTrace& trace) {
  if (trace.failure()) return trace.failure()->sentence;
  return trace.complete() ? "" : trace.problem()->message;
}

void writeFailure(JsonWriter& json, const StepFailure& why) {
  json.key("sentence").text(why.sentence);
  if (!why.premise) {
    json.key("premise").null().key("group").null();
    return;
  }
  const PremiseFailure& failure = *why.premise;
  json.key("premise").text(nameOf(failure.premise));
  json.key("group").wholes(numbersOf(failure.group)).key("members").wholes(numbersOf(failure.members));
  json.key("rows").wholes({failure.rows.begin(), failure.rows.end()});
  json.key("columns").wholes({failure.columns.begin(), failure.columns.end()});
}

void writePairs(JsonWriter& json, const FailingPairs& all) {
  json.key("failing_pairs").beginObject().key("count").whole(all.count);
  json.key("representatives").boolean(all.representatives).key("pairs").beginArray();
  for (const PremiseFailure& pair : all.pairs) {
    json.beginObject().key("premise").text(nameOf(pair.premise)).key("members").wholes(numbersOf(pair.members));
    json.key("rows").wholes({pair.rows.begin(), pair.rows.end()});
    json.key("columns").wholes({pair.columns.begin(), pair.columns.end()});
    json.key("sentence").text(pair.sentence).end();
  }
  json.end().end();
}

void writeMissing(JsonWriter& json, const MissingParts& all) {
  json.key("missing").beginObject().key("count").whole(all.count);
  json.key("representatives").boolean(all.representatives).key("parts").beginArray();
  for (const MissingPart& part : all.parts) {
    json.beginObject().key("device").whole(part.device.value());
    json.key("chunk");
    part.chunk < 0 ? json.null() : json.whole(part.chunk);
    json.key("contributors").wholes(numbersOf(part.contributors)).key("sentence").text(part.sentence).end();
  }
  json.end().end();
}

void writeHint(JsonWriter& json, const SynthesisHierarchy& hierarchy, const ProgramHint& hint) {
  json.key("hint").beginObject().key("program").text(programText(hierarchy, hint.program));
  json.key("sentence").text(hint.sentence).end();
}

void writeJson(std::ostream& out, const Verdict& verdict) {
  const ProgramTrace& trace = verdict.trace;
  const Program& program = trace.program();
  const SynthesisHierarchy& hierarchy = trace.hierarchy();
  const auto done = static_cast<std::size_t>(trace.validSteps());
  JsonWriter json(out);
  json.beginObject().key("valid").boolean(trace.complete()).key("complete").boolean(trace.complete());
  if (!trace.complete()) json.key("sentence").text(sentenceOf(trace));
  json.key("steps").beginArray();
  for (std::size_t i = 0; i < program.size() && i <= done; ++i) {
    const Spelling spelling = spellingOf(program[i].pattern, hierarchy.levelCount());
    json.beginObject().key("valid").boolean(i < done).key("rule").text(nameOf(program[i].collective));
    json.key("slice").text(hierarchy.levelName(spelling.slice)).key("form").text(formText(hierarchy, spelling));
    if (i == done) writeFailure(json, *trace.failure());
    json.end();
  }
  json.end();
  if (verdict.pairs.count > 0) writePairs(json, verdict.pairs);
  if (verdict.missing.count > 0) writeMissing(json, verdict.missing);
  if (verdict.hint) writeHint(json, hierarchy, *verdict.hint);
  json.end();
}

template <class Parts>
void listParts(std::ostream& out, const Parts& parts, std::int64_t count, bool representatives) {
  for (std::size_t i = 0; i < parts.size() && i < kMostInText; ++i) {
    out << "  " << i + 1 << " of " << count << ": " << parts[i].sentence << '\n';
  }
  if (representatives && count > 0) out << "  each stands for all devices alike\n";
}

void writeText(std::ostream& out, const Verdict& verdict) {
  const ProgramTrace& trace = verdict.trace;
  const Program& program = trace.program();
  const auto done = static_cast<std::size_t>(trace.validSteps());
  TextTable table({{}, {}, {}});
  for (std::size_t i = 0; i < program.size(); ++i) {
    const char* mark = i < done ? "✓" : i == done ? "✗" : "–";
    table.add({mark, "step " + std::to_string(i + 1), instructionText(trace.hierarchy(), program[i])});
  }
  out << table.text();
  if (trace.complete()) {
    out << "valid: in the end " << trace.goal().achieved << '\n';
    return;
  }
  out << "not valid: " << sentenceOf(trace) << '\n';
  if (trace.failure() && trace.failure()->premise) {
    const PremiseFailure& failure = *trace.failure()->premise;
    out << "premise of " << nameOf(failure.rule) << ": " << nameOf(failure.premise) << '\n';
  }
  if (verdict.pairs.count > 1) listParts(out, verdict.pairs.pairs, verdict.pairs.count, verdict.pairs.representatives);
  listParts(out, verdict.missing.parts, verdict.missing.count, verdict.missing.representatives);
  if (verdict.hint) out << "hint: " << verdict.hint->sentence << '\n';
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
                  failingPairs(placement, trace, request.json ? kMostInJson : kMostInText),
                  missingParts(placement, trace, request.json ? kMostInJson : kMostInText),
                  {}};
  if (!trace.complete()) verdict.hint = programHint(hierarchy, program, rules, goal);
  request.json ? writeJson(out, verdict) : writeText(out, verdict);
  return trace.complete() ? kDone : kNo;
}

}  // namespace

void addCheck(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("check", "Say whether a program reaches its goal, and if not, why");
  const auto request = std::make_shared<CheckRequest>();
  addSystemArguments(*command, *request);
  command
      ->add_option(
          "PROGRAM", request->program,
          "Steps: \"node:InsideGroup:ReduceScatter; …\", \"RS·node → AR·node∥root → …\", or a title such as RS·AR·AG")
      ->required();
  addReduction(*command, *request);
  addMatrix(*command, *request, true);
  addGoal(*command, *request);
  command->add_option_function<std::string>(
      "--rules", [request](const std::string& text) { request->rules = text; },
      "Which instructions are legal: paper or all (paper)");
  addJson(*command, *request);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
