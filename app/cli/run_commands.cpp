// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_commands.h"

#include <unistd.h>

#include <array>

#include "remote/launch_command.h"
#include "remote/runner_session.h"
#include "text/document.h"

namespace p2::cli {
namespace {

struct PlacedCommand {
  std::string where;
  const char* what;
  p2::Command command;
};

Value commandValue(const PlacedCommand& placed) {
  Document environment;
  for (const auto& [name, value] : placed.command.environment) environment.field(name, Value::text(value));
  Document fields;
  fields.field("where", Value::text(placed.where)).field("what", Value::text(placed.what));
  fields.field("environment", Value::object(std::move(environment)));
  fields.field("arguments", Value::texts(placed.command.arguments));
  return Value::object(std::move(fields), Value::Layout::Lines);
}

}  // namespace

Result<void> writeRunCommands(std::ostream& out, const Target& target, const RunRequest& request,
                              const RunIdentity& identity, bool json) {
  const bool here = target.host.empty();
  const std::vector<std::string> runner = runnerCommand(target);
  const RunnerProgram program{here ? runner[0] : target.runner, request.pieces > 1, here && ::geteuid() == 0};
  P2_TRY_ASSIGN(const auto launch, launchCommand(target.launch, identity.ranks, program));
  const std::string place = here ? "this machine" : target.host;
  const std::array commands{PlacedCommand{"this machine", "starts the runner", {runner, {}}},
                            PlacedCommand{place, "starts the ranks, called by the runner", launch}};
  Document answer;
  answer.array("commands", commands.size(), [&](std::size_t i) { return commandValue(commands[i]); });
  for (const PlacedCommand& each : commands) {
    answer.line("on " + each.where + ", " + each.what + ":").line("  " + shellText(each.command));
  }
  answer.line("nothing was run");
  answer.field("plan_hash", Value::text(identity.planHash)).field("backend", Value::text(request.backend));
  answer.field("ranks", Value::whole(identity.ranks)).field("bytes", Value::number(request.bytes.value()));
  answer.field("repeat", Value::whole(request.repeat)).field("warmup", Value::whole(request.warmup));
  answer.field("pieces", Value::whole(request.pieces));
  writeAnswer(out, answer, json ? AnswerForm::Json : AnswerForm::Text);
  return {};
}

}  // namespace p2::cli
