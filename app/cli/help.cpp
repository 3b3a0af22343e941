// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "manual/manual.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

Result<int> print(const std::string& topic, std::ostream& out) {
  if (topic.empty()) {
    TextTable table({{"topic"}, {"about"}});
    for (const ManualPage& page : manualPages()) table.add({std::string(page.name), std::string(page.title())});
    out << table.text() << "\np2 help TOPIC prints a page, p2 COMMAND --help the options of a command.\n";
    return kDone;
  }
  if (const ManualPage* page = manualPage(topic)) {
    out << terminalText(*page);
    return kDone;
  }
  std::string names;
  for (const ManualPage& page : manualPages()) names += (names.empty() ? "" : ", ") + std::string(page.name);
  return Error{"the manual has no page \"" + topic + "\"; use one of " + names};
}

}  // namespace

void addHelp(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("help", "Print a page of the manual, or list its pages");
  const auto topic = std::make_shared<std::string>();
  command->add_option("topic", *topic, "A page: see p2 help")->type_name("TOPIC");
  command->callback([topic, &chosen] { chosen = [topic](std::ostream& out) { return print(*topic, out); }; });
}

}  // namespace p2::cli
