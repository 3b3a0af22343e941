// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_commands.h"

#include <unistd.h>

#include <array>

#include "remote/launch_command.h"
#include "remote/runner_session.h"
#include "text/json_writer.h"

namespace p2::cli {
namespace {

struct PlacedCommand {
  std::string where;
  const char* what;
  p2::Command command;
};

void writeJson(std::ostream& out, const std::array<PlacedCommand, 2>& commands, const RunRequest& request,
               const RunIdentity& identity) {
  JsonWriter json(out);
  json.beginObject().key("commands").beginArray();
  for (const PlacedCommand& each : commands) {
    json.beginObject().key("where").text(each.where).key("what").text(each.what);
    json.key("environment").beginObject(JsonWriter::Layout::OneLine);
    for (const auto& [name, value] : each.command.environment) json.key(name).text(value);
    json.end().key("arguments").beginArray(JsonWriter::Layout::OneLine);
    for (const std::string& argument : each.command.arguments) json.text(argument);
    json.end().end();
  }
  json.end().key("plan_hash").text(identity.planHash).key("backend").text(request.backend);
  json.key("ranks").whole(identity.ranks).key("bytes").number(request.bytes.value());
  json.key("repeat").whole(request.repeat).key("warmup").whole(request.warmup).key("pieces").whole(request.pieces);
  json.end();
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
  if (json) {
    writeJson(out, commands, request, identity);
    return {};
  }
  for (const PlacedCommand& each : commands) {
    out << "on " << each.where << ", " << each.what << ":\n  " << shellText(each.command) << '\n';
  }
  out << "nothing was run\n";
  return {};
}

}  // namespace p2::cli
