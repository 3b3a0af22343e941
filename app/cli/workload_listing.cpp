// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/workload_listing.h"

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "workload/generate/training_recipe.h"

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
  for (const CountFactor& factor : entry.factors) factors.field(factor.name, Value::whole(factor.value));
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
    {"overlap", "overlap", overlapOf, Align::Left},
    {"factors", "", factorsOf},
    {"closed", "", [](const WorkloadEntry& entry) { return entry.closed ? Value() : Value::flag(false); }},
    {"scatter", "",
     [](const WorkloadEntry& entry) { return entry.scatter.empty() ? Value() : Value::texts(entry.scatter); }},
    {"routing", "", routingOf},
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
     }},
    {"published", "", [](const BundledRow& row) { return Value::text(row.recipe.published.text); }},
};

}  // namespace

Document workloadAnswer(const WorkloadSource& source) {
  const Workload& workload = source.workload;
  Document answer;
  Document axes;
  std::string axesText;
  for (const Axis& axis : workload.axes) {
    axes.field(axis.name, Value::whole(axis.size));
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

}  // namespace p2::cli
