// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "system/text_drawing.h"

namespace p2::cli {
namespace {

struct SystemRequest {
  std::string system;
  bool json = false;
};

Result<int> run(const SystemRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto system, systemOfArgument(request.system, "SYSTEM"));
  if (!request.json) tellAssumed(system, request.system);
  out << (request.json ? systemToJson(system) : drawnAsText(system));
  return kDone;
}

}  // namespace

void addSystem(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("system", "Draw a system as text");
  const auto request = std::make_shared<SystemRequest>();
  addSystemArgument(*command, request->system);
  command->add_flag("--json", request->json, "Print it as a system file instead");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
