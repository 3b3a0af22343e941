// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/man_page.h"
#include "app/cli/options.h"
#include "base/lists.h"
#include "manual/manual.h"
#include "text/document.h"
#include "text/text_file.h"

namespace p2::cli {
namespace {

constexpr Column<ManualPage> kPageColumns[] = {
    {"", "topic", [](const ManualPage& page) { return Value::text(page.name); }, TextTable::Align::Left},
    {"", "about", [](const ManualPage& page) { return Value::text(page.title()); }, TextTable::Align::Left},
};

Result<int> print(const std::string& topic, std::ostream& out) {
  if (topic.empty()) {
    Document answer;
    answer.table("", tableOver<ManualPage>(kPageColumns, manualPages()));
    answer.line("").line("p2 help TOPIC prints a page, p2 COMMAND --help the options of a command.");
    answer.writeText(out);
    return kDone;
  }
  if (const ManualPage* page = manualPage(topic)) {
    out << terminalText(*page);
    return kDone;
  }
  const std::string names = joined(manualPages(), ", ", &ManualPage::name);
  return Error{"the manual has no page \"" + topic + "\"; use one of " + names};
}

/// p2(1) from its source, for packaging.
Result<int> printManPage(const CLI::App& app, const std::string& source, std::ostream& out) {
  P2_TRY_ASSIGN(const auto text, readTextFile(source));
  P2_TRY_ASSIGN(const auto page, manPage(app, text).within(source));
  out << page;
  return kDone;
}

}  // namespace

void addHelp(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("help", "Print a page of the manual, or list its pages");
  const auto topic = std::make_shared<std::string>();
  addValue(*command, "TOPIC", *topic, "A page: see p2 help");
  const auto source = std::make_shared<std::string>();
  addValue(*command, "--man-page SOURCE", *source, "Print p2(1), filled in from its source")->group("");
  command->callback([topic, source, &app, &chosen] {
    chosen = [topic, source, &app](std::ostream& out) {
      return source->empty() ? print(*topic, out) : printManPage(app, *source, out);
    };
  });
}

}  // namespace p2::cli
