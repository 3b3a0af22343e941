// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "synthesis/program_trace.h"
#include "text/json_writer.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

struct CheckRequest : Request {
  std::string program;
};

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

void writeJson(std::ostream& out, const ProgramTrace& trace) {
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
  json.end().end();
}

void writeText(std::ostream& out, const ProgramTrace& trace) {
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
}

Result<int> run(const CheckRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto workspace, workspaceOf(request));
  const Placement placement(workspace.axes, workspace.matrix);
  const SynthesisHierarchy hierarchy(workspace.system, placement);
  P2_TRY_ASSIGN(const auto program, parseProgram(hierarchy, request.program).within("PROGRAM"));
  P2_TRY_ASSIGN(const auto trace,
                ProgramTrace::run(placement, hierarchy, program, workspace.options.rules, workspace.options.goal));
  request.json ? writeJson(out, trace) : writeText(out, trace);
  return trace.complete() ? kDone : kNo;
}

}  // namespace

void addCheck(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("check", "Say whether a program reaches its goal, and if not, why");
  const auto request = std::make_shared<CheckRequest>();
  addSystemArguments(*command, *request);
  command->add_option("PROGRAM", request->program, "Steps slice:form:collective: \"node:InsideGroup:ReduceScatter; …\"")
      ->required();
  addReduction(*command, *request, true);
  addMatrix(*command, *request, true);
  addGoal(*command, *request);
  command->add_option_function<std::string>(
      "--rules", [request](const std::string& text) { request->rules = text; },
      "Which instructions are legal: paper or all (paper)");
  addJson(*command, *request);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
