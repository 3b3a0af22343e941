// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/property_options.h"
#include "app/cli/workload_listing.h"
#include "text/text_file.h"
#include "workload/generate/fields.h"
#include "workload/import/import.h"

namespace p2::cli {
namespace {

struct WorkloadRequest {
  std::vector<std::string> sources;
  std::vector<PlanChange> changes;
  std::vector<std::string> settings;
  std::optional<std::string> file;
  bool list = false;
  bool json = false;
};

/// --set KEY=VALUE, for settings without an option of their own.
Result<std::vector<PlanChange>> changesOf(const WorkloadRequest& request) {
  std::vector<PlanChange> changes = request.changes;
  for (const std::string& setting : request.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{"\"" + setting + "\" is not of the form NAME=VALUE; write, for example, layers=40", "--set"};
    }
    changes.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return changes;
}

/// Several files together are one workload of a format that needs them all.
Result<WorkloadSource> sourceOf(const std::vector<std::string>& sources, const WorkloadReading& reading) {
  if (sources.size() == 1) return workloadFromArgument(sources[0], reading);
  P2_TRY(refuseChanges(reading, "a list of collectives"));
  return importWorkload(sources);
}

Result<int> run(const WorkloadRequest& request, std::ostream& out) {
  if (request.list) {
    P2_TRY_ASSIGN(const auto bundled, bundledWorkloadsAnswer());
    writeAnswer(out, bundled, formOf(request.json));
    return kDone;
  }
  if (request.sources.empty()) return Error{"a file or a bundled workload is needed; see p2 workload --list", "FILE"};
  P2_TRY_ASSIGN(auto changes, changesOf(request));
  P2_TRY_ASSIGN(const auto source, sourceOf(request.sources, {std::move(changes), {}}));
  if (request.file) {
    P2_TRY(writeTextFile(*request.file, workloadToJson(source.workload)));
    return kDone;
  }
  writeAnswer(out, workloadAnswer(source), formOf(request.json));
  return kDone;
}

}  // namespace

void addWorkload(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("workload", "List the communication of a training step");
  const auto request = std::make_shared<WorkloadRequest>();
  command->add_option("FILE", request->sources,
                      "A bundled workload, or a file: workload, model, config.json, trace or list of another program");
  addPropertyOptions<TrainingPlan>(*command, planFields(),
                                   [request](const Property<TrainingPlan>& field, const std::string& text) {
                                     request->changes.push_back({std::string(field.info.key), text});
                                   });
  command->add_option("--set", request->settings, "A value of the model, as in layers=40")->allow_extra_args(false);
  command->add_option_function<std::string>(
      "-o,--output", [request](const std::string& text) { request->file = text; }, "Write a workload file");
  command->add_flag("--list", request->list, "List the bundled workloads");
  command->add_flag("--json", request->json, "Print one JSON object instead of a table");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
