// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <span>
#include <string>

#include "app/cli/answer_keys.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "base/counted.h"
#include "base/numbers.h"
#include "base/property.h"
#include "base/units.h"
#include "text/document.h"
#include "text/text_file.h"
#include "workload/generate/fields.h"
#include "workload/generate/training_recipe.h"
#include "workload/import/import.h"
#include "workload/sources.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kLongList = 40;

std::string hiddenText(const CommunicationOverlap& overlap) {
  switch (overlap.extent) {
    case CommunicationOverlap::Extent::None:
      return "none";
    case CommunicationOverlap::Extent::Compute:
      return "compute";
    case CommunicationOverlap::Extent::Fraction:
      return exactNumber(overlap.value);
    case CommunicationOverlap::Extent::Window:
      return formatSeconds(overlap.value);
  }
  return {};
}

/// "480 = 3 passes · 160 blocks".
std::string countText(const WorkloadEntry& entry) {
  const std::string factors = factorsText(entry);
  return std::to_string(entry.count) + (factors.empty() ? "" : " = " + factors);
}

Value overlapOf(const WorkloadEntry& entry) {
  const std::string text = hiddenText(entry.overlap);
  if (entry.overlap.extent == CommunicationOverlap::Extent::Fraction) {
    return Value::number(entry.overlap.value).shownAs(text);
  }
  if (entry.overlap.extent != CommunicationOverlap::Extent::Window) return Value::text(text);
  Document window;
  window.field("seconds", Value::number(entry.overlap.value));
  return Value::object(std::move(window)).shownAs(text);
}

Value axesOf(const WorkloadEntry& entry) {
  const Value axes = Value::texts(entry.axes);
  const std::string scattered = entry.scatter.empty() ? "" : ", scattered over " + Value::texts(entry.scatter).text();
  return Value::texts(entry.axes).shownAs(axes.text() + scattered);
}

Value factorsOf(const WorkloadEntry& entry) {
  if (entry.factors.empty()) return {};
  Document factors;
  for (const CountFactor& factor : entry.factors) factors.named(factor.name, Value::whole(factor.value));
  return Value::object(std::move(factors));
}

Value routingOf(const WorkloadEntry& entry) {
  if (!entry.routing) return {};
  const ExpertRouting& routing = *entry.routing;
  Document fields;
  fields.field("experts", Value::whole(routing.experts));
  fields.field("experts_per_token", Value::whole(routing.expertsPerToken));
  if (routing.groups > 0) fields.field("groups", Value::whole(routing.groups));
  if (routing.mostGroups > 0) fields.field("most_groups", Value::whole(routing.mostGroups));
  return Value::object(std::move(fields));
}

constexpr Column<WorkloadEntry> kWorkloadColumns[] = {
    {"name", "name", [](const WorkloadEntry& entry) { return Value::text(entry.name); }, Align::Left},
    {"kind", "kind", [](const WorkloadEntry& entry) { return Value::text(nameOf(entry.kind)); }, Align::Left},
    {"axes", "over", axesOf, Align::Left},
    {"bytes", "bytes", [](const WorkloadEntry& entry) { return Value::whole(entry.bytes); }},
    {"count", "count", [](const WorkloadEntry& entry) { return Value::whole(entry.count).shownAs(countText(entry)); },
     Align::Left},
    {"", "in a step",
     [](const WorkloadEntry& entry) {
       return Value::number(static_cast<double>(entry.bytes) * static_cast<double>(entry.count), Unit::Bytes);
     }},
    {"overlap", "overlap", overlapOf, Align::Left,
     "Computation that an entry can hide behind: none, compute (all of it), a share of the entry, or seconds"},
    {"factors", "", factorsOf, Align::Right, "By name: factors whose product is count"},
    {"closed", "", [](const WorkloadEntry& entry) { return entry.closed ? Value() : Value::flag(false); }},
    {"scatter", "",
     [](const WorkloadEntry& entry) { return entry.scatter.empty() ? Value() : Value::texts(entry.scatter); }},
    {"routing", "", routingOf, Align::Right,
     "Routing of tokens to experts: experts, experts_per_token, groups, most_groups"},
    {"formula", "bytes are",
     [](const WorkloadEntry& entry) { return entry.formula.empty() ? Value() : Value::text(entry.formula); },
     Align::Left},
};

void addSentences(Document& answer, const char* title, const std::vector<std::string>& sentences) {
  answer.field(title, Value::texts(sentences, Value::Layout::Lines));
  if (sentences.empty()) return;
  answer.line("").line(title);
  for (const std::string& sentence : sentences) answer.line("  " + sentence);
}

/// The settings of a step that a workload has.
void addSettings(Document& answer, const Workload& workload) {
  if (workload.computeSeconds) answer.field("compute_seconds", Value::number(*workload.computeSeconds));
  if (workload.slowdown) answer.field("slowdown", Value::number(*workload.slowdown));
  if (workload.usableShare) answer.field("usable_share", Value::number(*workload.usableShare));
  if (workload.concurrent) answer.field("concurrent", Value::flag(true));
}

/// For people: equal entries of a long list are one.
void addEntriesText(Document& answer, const Workload& workload) {
  const std::size_t entries = workload.collectives.size();
  const Workload shown = entries > kLongList ? collapsed(workload) : workload;
  answer.line("").text([shown] { return tableOver<WorkloadEntry>(kWorkloadColumns, shown.collectives).text(); });
  if (shown.collectives.size() == entries) return;
  answer.line("").line(countedText(entries, "entry", "entries") +
                       "; those with equal kind, axes, bytes and overlap are merged");
}

struct BundledRow {
  std::string_view name;
  TrainingRecipe recipe;
};

constexpr Column<BundledRow> kBundledColumns[] = {
    {"name", "workload", [](const BundledRow& row) { return Value::text(row.name); }, Align::Left},
    {"model", "model", [](const BundledRow& row) { return Value::text(row.recipe.name); }, Align::Left},
    {"description", "description", [](const BundledRow& row) { return Value::text(row.recipe.description); },
     Align::Left},
    {"system", "system", [](const BundledRow& row) { return Value::text(row.recipe.system); }, Align::Left},
    {"source", "", [](const BundledRow& row) { return Value::text(row.recipe.source); }},
    {"step_seconds", "",
     [](const BundledRow& row) {
       const auto& seconds = row.recipe.published.stepSeconds;
       return seconds ? Value::number(*seconds) : Value();
     },
     Align::Right, "s, of the published step; absent where none is"},
    {"published", "", [](const BundledRow& row) { return Value::text(row.recipe.published.text); }, Align::Left,
     "Figures that were published, in words"},
};

/// A workload, and the facts that were understood, assumed and ignored. The source must outlive the answer.
Document workloadAnswer(const WorkloadSource& source) {
  const Workload& workload = source.workload;
  Document answer;
  Document axes;
  std::string axesText;
  for (const Axis& axis : workload.axes) {
    axes.named(axis.name, Value::whole(axis.size));
    axesText += (axesText.empty() ? "" : ", ") + axis.name + " " + std::to_string(axis.size);
  }
  if (!workload.name.empty()) answer.field("name", Value::text(workload.name));
  answer.field("axes", Value::object(std::move(axes)));
  answer.line((workload.name.empty() ? "" : workload.name + ": ") + axesText);
  addSettings(answer, workload);
  addEntriesText(answer, workload);
  answer.field("collectives", Value::rows(tableOver<WorkloadEntry>(kWorkloadColumns, workload.collectives)));
  addSentences(answer, "understood", source.understood);
  addSentences(answer, "assumed", source.assumed);
  addSentences(answer, "ignored", source.ignored);
  return answer;
}

Result<Document> bundledWorkloadsAnswer() {
  const auto rows = std::make_shared<std::vector<BundledRow>>();
  for (const BundledRecipe& bundled : bundledRecipes()) {
    P2_TRY_ASSIGN(auto recipe, recipeFromJson(bundled.json));
    rows->push_back({bundled.name, std::move(recipe)});
  }
  Table table = tableOf<BundledRow>(kBundledColumns, rows->size(), [rows](std::size_t i) { return (*rows)[i]; });
  table.layout = Value::Layout::Lines;
  Document answer;
  answer.table("workloads", std::move(table));
  return answer;
}

/// An option for every property, named after its key and with its help, choices and default: --kv-heads for kv_heads.
/// `given` is called with the property and the text as typed. The properties must live as long as the command.
template <class Part>
void addPropertyOptions(CLI::App& command, std::span<const Property<Part>> properties,
                        const std::function<void(const Property<Part>&, const std::string&)>& given) {
  for (const Property<Part>& property : properties) {
    command
        .add_option_function<std::string>(
            optionOf(property.info), [given, &property](const std::string& text) { given(property, text); },
            optionHelp(property))
        ->type_name(placeholderOf(property.info));
  }
}

struct WorkloadRequest {
  std::vector<std::string> sources;
  std::vector<PlanChange> changes;
  std::vector<std::string> settings;
  std::optional<std::string> file;
  bool list = false;
  AnswerForm form = AnswerForm::AsText;
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
    writeAnswer(out, bundled, request.form);
    return kDone;
  }
  if (request.sources.empty()) return Error{"a file or a bundled workload is needed; see p2 workload --list", "FILE"};
  P2_TRY_ASSIGN(auto changes, changesOf(request));
  P2_TRY_ASSIGN(const auto source, sourceOf(request.sources, {std::move(changes), {}}));
  if (request.file) {
    P2_TRY(writeTextFile(*request.file, workloadToJson(source.workload)));
    return kDone;
  }
  writeAnswer(out, workloadAnswer(source), request.form);
  return kDone;
}

}  // namespace

std::vector<AnswerKey> workloadKeys() { return together({keysOf(kWorkloadColumns), keysOf(kBundledColumns)}); }

void addWorkload(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("workload", "List the communication of a training step");
  const auto request = std::make_shared<WorkloadRequest>();
  addValue(*command, "FILE", request->sources,
           "A bundled workload, or a file: workload, model, config.json, trace or list of another program");
  addPropertyOptions<TrainingPlan>(*command, planFields(),
                                   [request](const Property<TrainingPlan>& field, const std::string& text) {
                                     request->changes.push_back({std::string(field.info.key), text});
                                   });
  addValue(*command, "--set KEY=VALUE", request->settings, "A value of the model, as in layers=40")
      ->allow_extra_args(false);
  addValue(*command, "-o,--output FILE", request->file, "Write a workload file");
  command->add_flag("--list", request->list, "List the bundled workloads");
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
