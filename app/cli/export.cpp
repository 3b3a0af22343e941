// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/cli/commands.h"
#include "graphs/cost_table_export.h"
#include "graphs/strategy_json.h"
#include "plan/verify.h"
#include "text/text_file.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

struct ExportRequest {
  std::optional<std::string> plan;
  std::optional<std::string> format;
  std::optional<std::string> file;
  bool list = false;
};

std::string formatList() {
  TextTable table({{"format"}, {"of"}, {"description"}});
  for (const ExportFormat& format : exportFormats()) table.add({format.name, "plan", format.description});
  for (const ExportFormat& format : costTableFormats()) table.add({format.name, "cost tables", format.description});
  return table.text();
}

bool isOf(const std::vector<ExportFormat>& formats, const std::string& name) {
  return std::any_of(formats.begin(), formats.end(), [&](const ExportFormat& each) { return each.name == name; });
}

/// What is read follows from the format.
Result<std::string> exportedText(const std::string& file, const std::string& text, const std::string& format) {
  if (isOf(costTableFormats(), format)) {
    const auto problem = strategyProblemFromJson(text);
    if (!problem.ok()) return problem.error().within(file);
    return exportCostTables(*problem, format);
  }
  const auto plan = planFromJson(text);
  if (!plan.ok()) return plan.error().within(file);
  if (auto verified = verify(*plan); !verified.ok()) return verified.error().within(file);
  auto exported = exportPlan(*plan, format);
  if (!exported.ok()) return exported.error().within("--to");
  return exported;
}

Result<int> run(const ExportRequest& request, std::ostream& out) {
  if (request.list) {
    out << formatList();
    return kDone;
  }
  if (!request.plan) return Error{"a plan file is needed, as p2 plan writes it, or a file of cost tables", "FILE"};
  if (!request.format) return Error{"a format is needed; p2 export --list names them", "--to"};
  const auto text = readTextFile(*request.plan);
  if (!text.ok()) return text.error();
  const auto exported = exportedText(*request.plan, *text, *request.format);
  if (!exported.ok()) return exported.error();
  if (!request.file) {
    out << *exported;
    return kDone;
  }
  if (auto saved = writeTextFile(*request.file, *exported); !saved.ok()) return saved.error();
  return kDone;
}

}  // namespace

void addExport(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("export", "Write a plan or cost tables in another format");
  const auto request = std::make_shared<ExportRequest>();
  const auto set = [request](std::optional<std::string> ExportRequest::*member) {
    return [request, member](const std::string& text) { (*request).*member = text; };
  };
  command->add_option_function<std::string>("FILE", set(&ExportRequest::plan), "A plan file, or one of cost tables");
  command->add_option_function<std::string>("--to", set(&ExportRequest::format), "The format; --list names them");
  command->add_option_function<std::string>("-o,--output", set(&ExportRequest::file),
                                            "The file to write (standard output)");
  command->add_flag("--list", request->list, "Name the formats");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
