// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "base/lists.h"
#include "base/near.h"
#include "base/units.h"
#include "exporters/exporters.h"
#include "graphs/strategy_json.h"
#include "plan/verify.h"
#include "text/host_list.h"
#include "text/text_file.h"
#include "training_answer/training_plan_file.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

struct ExportRequest {
  std::optional<std::string> plan;
  std::optional<std::string> format;
  std::optional<std::string> file;
  std::optional<std::string> hosts;
  std::optional<std::string> hostfile;
  std::optional<std::string> order;
  bool list = false;
};

/// Subjects that have files; strategies are exported by the explorer alone.
constexpr ExportSubject kSubjects[] = {ExportSubject::Plan, ExportSubject::CostTables};

/// A line of the list.
struct ListedFormat {
  std::string name;
  std::string_view of;
  std::string description;
  std::string runsOn;  ///< software that takes the file today
};

constexpr Column<ListedFormat> kExportColumns[] = {
    {"format", "format", [](const ListedFormat& format) { return Value::text(format.name); }, Align::Left},
    {"of", "of", [](const ListedFormat& format) { return Value::text(format.of); }, Align::Left},
    {"description", "description", [](const ListedFormat& format) { return Value::text(format.description); },
     Align::Left},
    {"runs on", "runs_on", [](const ListedFormat& format) { return Value::text(format.runsOn); }, Align::Left},
};

void writeFormats(std::ostream& out) {
  std::vector<ListedFormat> formats;
  for (const ExportSubject subject : kSubjects) {
    for (const ExportFormat& each : exportFormats(subject)) {
      formats.push_back({each.name, nameOf(each.subject()), each.description, each.runsOn});
    }
  }
  for (const TrainingExport& each : trainingExports()) {
    formats.push_back({std::string(each.name), "training", std::string(each.description), std::string(each.runsOn)});
  }
  Document answer;
  answer.table("", tableOver<ListedFormat>(kExportColumns, formats)).writeText(out);
}

bool isOf(ExportSubject subject, const std::string& name) {
  for (const ExportFormat& format : exportFormats(subject)) {
    if (format.name == name) return true;
  }
  return false;
}

Result<ExportOptions> optionsOf(const ExportRequest& request) {
  const auto listed = [](const auto& text) { return text ? listedNames(*text) : std::vector<std::string>(); };
  ExportOptions options{{}, listed(request.order)};
  if (request.hosts) {
    P2_TRY_ASSIGN(options.hosts, hostsFromList(*request.hosts));
  }
  if (!request.hostfile) return options;
  P2_TRY_ASSIGN(const auto text, readTextFile(*request.hostfile));
  P2_TRY_ASSIGN(options.hosts, hostsFromFile(text).within(*request.hostfile));
  return options;
}

/// Refuses options that the format does not use. `training`: whether the file can be a training plan.
Result<void> checkOptions(const ExportRequest& request, bool training) {
  const bool hosts = training && (request.format == "openmpi" || request.format == "torchrun") && !request.order;
  const bool places = hosts || request.format == "rankfile" || request.format == "slurm";
  const std::string given = request.hosts      ? "--hosts"
                            : request.hostfile ? "--hostfile"
                            : request.order    ? "--order"
                                               : "";
  if (given.empty() || places) return {};
  return Error{"only rankfile and slurm place ranks on hosts; leave the option out, or export one of these", given};
}

/// Keeps the plan's stored prediction and prints a note if it is stale.
Result<void> tellIfStale(const Plan& plan, const std::string& file) {
  P2_TRY_ASSIGN(const double now, secondsPricedAgain(plan));
  const double then = plan.predicted().seconds;
  if (nearlyEqual(now, then)) return {};
  std::cerr << "p2: note: " << oneLine(file) << " predicts " << formatSeconds(then)
            << ", and its system and options as they stand now give " << formatSeconds(now) << "; run p2 plan again\n";
  return {};
}

/// Names the option as it was typed in an exporter's error.
Error namedAsTyped(const Error& error, const ExportRequest& request) {
  if (error.where.position == "hosts") return error.at(request.hostfile ? "--hostfile" : "--hosts");
  if (error.where.position == "order") return error.at("--order");
  return error.within("--to");
}

/// Reads a plan or cost tables, depending on the format.
Result<std::string> exportedText(const ExportRequest& request, std::string text, const ExportOptions& options) {
  const std::string& file = *request.plan;
  if (isTrainingPlan(text)) {
    P2_TRY_ASSIGN(const auto training, trainingPlanFromJson(text).within(file));
    auto exported = exportTrainingPlan(training, *request.format, options.hosts);
    return exported.ok() ? exported : namedAsTyped(exported.error(), request);
  }
  if (isOf(ExportSubject::CostTables, *request.format)) {
    P2_TRY_ASSIGN(const auto problem, strategyProblemFromJson(std::move(text)).within(file));
    return exportCostTables(problem, *request.format);
  }
  P2_TRY_ASSIGN(const auto plan, planFromJson(text).within(file));
  P2_TRY(verify(plan).within(file));
  auto exported = exportPlan(plan, *request.format, options);
  if (!exported.ok()) return namedAsTyped(exported.error(), request);
  P2_TRY(tellIfStale(plan, file).within(file));
  return exported;
}

Result<int> run(const ExportRequest& request, std::ostream& out) {
  if (request.list) {
    writeFormats(out);
    return kDone;
  }
  if (!request.plan) return Error{"a plan file is needed, as p2 plan writes it, or a file of cost tables", "FILE"};
  if (!request.format) return Error{"a format is needed; p2 export --list names them", "--to"};
  P2_TRY(checkOptions(request, true));
  P2_TRY_ASSIGN(auto text, readTextFile(*request.plan));
  P2_TRY(checkOptions(request, isTrainingPlan(text)));
  P2_TRY_ASSIGN(const auto options, optionsOf(request));
  P2_TRY_ASSIGN(const auto exported, exportedText(request, std::move(text), options));
  if (!request.file) {
    out << exported;
    return kDone;
  }
  P2_TRY(writeTextFile(*request.file, exported));
  return kDone;
}

}  // namespace

void addExport(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("export", "Write a plan or cost tables in another format");
  const auto request = std::make_shared<ExportRequest>();
  addValue(*command, "FILE", request->plan, "A plan file, or one of cost tables");
  addValue(*command, "--to FORMAT", request->format, "The format; --list names them");
  addValue(*command, "-o,--output FILE", request->file, "The file to write (standard output)");
  addValue(*command, "--hosts A,B,...", request->hosts,
           "Names of the nodes in the order of the devices, for rankfile and slurm: "
           "a,b,c (node0,node1,…)");
  addValue(*command, "--hostfile FILE", request->hostfile, "File with the names of the nodes, one on each line")
      ->excludes("--hosts");
  addValue(*command, "--order AXES", request->order,
           "Axes in the order in which the framework counts ranks, the slowest first, "
           "for rankfile and slurm: data,tensor (the listed order)");
  command->add_flag("--list", request->list, "List the formats");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
