// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "synthesis/execution.h"
#include "text/json_writer.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

struct CheckRequest : Request {
  std::string program;
};

/// How far a program gets: `done` valid steps, then a failure unless all are.
struct Verdict {
  std::size_t done = 0;
  bool complete = false;
  std::optional<PremiseFailure> failure;
  std::string sentence;  ///< why not, if not
  [[nodiscard]] bool valid() const { return sentence.empty(); }
};

constexpr const char* kIncomplete = "the program ends before every device holds the whole sum";

/// For groups whose bit matrices are too large: the same verdict from the compact states, without the devices' names.
Result<Verdict> verdictOnStates(const SynthesisHierarchy& hierarchy, const Program& program, RuleSet rules) {
  const auto execution = executeCompactly(hierarchy, program, rules);
  if (!execution.ok()) return execution.error();
  Verdict verdict{execution->states.size() - 1, execution->complete, {}, execution->refusal.value_or("")};
  if (verdict.valid() && !execution->complete) verdict.sentence = kIncomplete;
  return verdict;
}

Result<Verdict> verdictOn(const Workspace& workspace, const Placement& placement, const SynthesisHierarchy& hierarchy,
                          const Program& program) {
  const RuleSet rules = workspace.options.rules;
  if (hierarchy.deviceCount() > kMostExplicitMembers) return verdictOnStates(hierarchy, program, rules);
  const auto execution = execute(placement, hierarchy, program, rules);
  if (!execution.ok()) return execution.error();
  Verdict verdict{execution->states.size() - 1, execution->complete, execution->failure, {}};
  if (execution->failure) {
    verdict.sentence = execution->failure->sentence;
  } else if (execution->refusal) {
    verdict.sentence = *execution->refusal;
  } else if (!execution->complete) {
    verdict.sentence = kIncomplete;
  }
  return verdict;
}

void writeFailure(JsonWriter& json, const Verdict& verdict) {
  json.key("sentence").text(verdict.sentence);
  if (!verdict.failure) {
    json.key("premise").null().key("group").null();
    return;
  }
  const PremiseFailure& failure = *verdict.failure;
  json.key("premise").text(nameOf(failure.premise));
  json.key("group").wholes(failure.group).key("members").wholes(failure.members);
  json.key("rows").wholes({failure.rows.begin(), failure.rows.end()});
  json.key("columns").wholes({failure.columns.begin(), failure.columns.end()});
}

void writeJson(std::ostream& out, const SynthesisHierarchy& hierarchy, const Program& program, const Verdict& verdict) {
  JsonWriter json(out);
  json.beginObject().key("valid").boolean(verdict.valid()).key("complete").boolean(verdict.complete);
  if (!verdict.valid()) json.key("sentence").text(verdict.sentence);
  json.key("steps").beginArray();
  for (std::size_t i = 0; i < program.size() && i <= verdict.done; ++i) {
    const Spelling spelling = spellingOf(program[i].pattern, hierarchy.levelCount());
    json.beginObject().key("valid").boolean(i < verdict.done).key("rule").text(nameOf(program[i].collective));
    json.key("slice").text(hierarchy.levelName(spelling.slice)).key("form").text(formText(hierarchy, spelling));
    if (i == verdict.done) writeFailure(json, verdict);
    json.end();
  }
  json.end().end();
}

void writeText(std::ostream& out, const SynthesisHierarchy& hierarchy, const Program& program, const Verdict& verdict) {
  TextTable table({{}, {}, {}});
  for (std::size_t i = 0; i < program.size(); ++i) {
    const char* mark = i < verdict.done ? "✓" : i == verdict.done ? "✗" : "–";
    table.add({mark, "step " + std::to_string(i + 1), instructionText(hierarchy, program[i])});
  }
  out << table.text();
  if (verdict.valid()) {
    out << "valid: every device ends with the whole sum\n";
    return;
  }
  out << "not valid: " << verdict.sentence << '\n';
  if (verdict.failure) {
    out << "premise of " << nameOf(verdict.failure->rule) << ": " << nameOf(verdict.failure->premise) << '\n';
  }
}

Result<int> run(const CheckRequest& request, std::ostream& out) {
  const auto workspace = workspaceOf(request);
  if (!workspace.ok()) return workspace.error();
  const Placement placement(workspace->axes, workspace->matrix);
  const SynthesisHierarchy hierarchy(workspace->system, placement);
  const auto program = parseProgram(hierarchy, request.program);
  if (!program.ok()) return program.error().within("PROGRAM");
  const auto verdict = verdictOn(*workspace, placement, hierarchy, *program);
  if (!verdict.ok()) return verdict.error();
  (request.json ? writeJson : writeText)(out, hierarchy, *program, *verdict);
  return verdict->valid() ? kDone : kNo;
}

}  // namespace

void addCheck(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("check", "Say whether a program reduces correctly, and if not, why");
  const auto request = std::make_shared<CheckRequest>();
  addSystemArguments(*command, *request);
  command->add_option("PROGRAM", request->program, "Steps slice:form:collective: \"node:InsideGroup:ReduceScatter; …\"")
      ->required();
  addReduction(*command, *request, true);
  addMatrix(*command, *request, true);
  command->add_option_function<std::string>(
      "--rules", [request](const std::string& text) { request->rules = text; },
      "Which instructions are legal: paper or all (paper)");
  addJson(*command, *request);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
