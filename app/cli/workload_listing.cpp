// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/workload_listing.h"

#include "base/numbers.h"
#include "base/units.h"
#include "text/json_writer.h"
#include "text/text_table.h"
#include "workload/generate/training_recipe.h"

namespace p2::cli {
namespace {

constexpr std::size_t kLongList = 40;

std::string joinedNames(const std::vector<std::string>& axes) {
  std::string text;
  for (const std::string& axis : axes) text += (text.empty() ? "" : ", ") + axis;
  return text;
}

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

void writeHiddenShare(JsonWriter& json, const CommunicationOverlap& overlap) {
  json.key("overlap");
  if (overlap.extent == CommunicationOverlap::Extent::Fraction) {
    json.number(overlap.value);
  } else if (overlap.extent == CommunicationOverlap::Extent::Window) {
    json.beginObject(JsonWriter::Layout::OneLine).key("seconds").number(overlap.value).end();
  } else {
    json.text(hiddenText(overlap));
  }
}

void writeRouting(JsonWriter& json, const ExpertRouting& routing) {
  json.key("routing").beginObject(JsonWriter::Layout::OneLine);
  json.key("experts").whole(routing.experts).key("experts_per_token").whole(routing.expertsPerToken);
  if (routing.groups > 0) json.key("groups").whole(routing.groups);
  if (routing.mostGroups > 0) json.key("most_groups").whole(routing.mostGroups);
  json.end();
}

void writeEntry(JsonWriter& json, const WorkloadEntry& entry) {
  json.beginObject(JsonWriter::Layout::OneLine).key("name").text(entry.name).key("axes").beginArray();
  for (const std::string& axis : entry.axes) json.text(axis);
  json.end().key("kind").text(nameOf(entry.kind)).key("bytes").whole(entry.bytes).key("count").whole(entry.count);
  writeHiddenShare(json, entry.overlap);
  if (!entry.factors.empty()) {
    json.key("factors").beginObject();
    for (const CountFactor& factor : entry.factors) json.key(factor.name).whole(factor.value);
    json.end();
  }
  if (!entry.closed) json.key("closed").boolean(false);
  if (!entry.scatter.empty()) {
    json.key("scatter").beginArray();
    for (const std::string& axis : entry.scatter) json.text(axis);
    json.end();
  }
  if (entry.routing) writeRouting(json, *entry.routing);
  if (!entry.formula.empty()) json.key("formula").text(entry.formula);
  json.end();
}

void writeSentences(JsonWriter& json, const char* key, const std::vector<std::string>& sentences) {
  json.key(key).beginArray();
  for (const std::string& sentence : sentences) json.text(sentence);
  json.end();
}

void writeSentences(std::ostream& out, const char* title, const std::vector<std::string>& sentences) {
  if (sentences.empty()) return;
  out << '\n' << title << '\n';
  for (const std::string& sentence : sentences) out << "  " << sentence << '\n';
}

}  // namespace

void writeWorkloadText(std::ostream& out, const WorkloadSource& source) {
  const std::size_t entries = source.workload.collectives.size();
  const Workload workload = entries > kLongList ? collapsed(source.workload) : source.workload;
  std::string axes;
  for (const Axis& axis : workload.axes) {
    axes += (axes.empty() ? "" : ", ") + axis.name + " " + std::to_string(axis.size);
  }
  out << (workload.name.empty() ? "" : workload.name + ": ") << axes << "\n\n";
  TextTable table({{"name"},
                   {"kind"},
                   {"over"},
                   {"bytes", TextTable::Align::Right},
                   {"count"},
                   {"in a step", TextTable::Align::Right},
                   {"overlap"},
                   {"bytes are"}});
  for (const WorkloadEntry& entry : workload.collectives) {
    const Bytes total(static_cast<double>(entry.bytes) * static_cast<double>(entry.count));
    const std::string dealt = entry.scatter.empty() ? "" : ", scattered over " + joinedNames(entry.scatter);
    table.add({entry.name, std::string(nameOf(entry.kind)), joinedNames(entry.axes) + dealt,
               std::to_string(entry.bytes), countText(entry), formatBytes(total), hiddenText(entry.overlap),
               entry.formula});
  }
  out << table.text();
  if (workload.collectives.size() < entries) {
    out << '\n' << entries << " entries; those alike in kind, axes, bytes and overlap are one here\n";
  }
  writeSentences(out, "understood", source.understood);
  writeSentences(out, "assumed", source.assumed);
  writeSentences(out, "ignored", source.ignored);
}

void writeWorkloadJson(std::ostream& out, const WorkloadSource& source) {
  const Workload& workload = source.workload;
  JsonWriter json(out);
  json.beginObject();
  if (!workload.name.empty()) json.key("name").text(workload.name);
  json.key("axes").beginObject(JsonWriter::Layout::OneLine);
  for (const Axis& axis : workload.axes) json.key(axis.name).whole(axis.size);
  json.end();
  if (workload.computeSeconds) json.key("compute_seconds").number(*workload.computeSeconds);
  if (workload.slowdown) json.key("slowdown").number(*workload.slowdown);
  if (workload.usableShare) json.key("usable_share").number(*workload.usableShare);
  if (workload.concurrent) json.key("concurrent").boolean(true);
  json.key("collectives").beginArray();
  for (const WorkloadEntry& entry : workload.collectives) writeEntry(json, entry);
  json.end();
  writeSentences(json, "understood", source.understood);
  writeSentences(json, "assumed", source.assumed);
  writeSentences(json, "ignored", source.ignored);
  json.end();
}

Result<void> writeBundledWorkloads(std::ostream& out, bool asJson) {
  std::vector<std::pair<std::string_view, TrainingRecipe>> recipes;
  for (const BundledRecipe& bundled : bundledRecipes()) {
    P2_TRY_ASSIGN(auto recipe, recipeFromJson(bundled.json));
    recipes.emplace_back(bundled.name, std::move(recipe));
  }
  if (!asJson) {
    TextTable table({{"workload"}, {"model"}, {"what it is"}, {"system"}});
    for (const auto& [name, recipe] : recipes) {
      table.add({std::string(name), recipe.name, recipe.description, recipe.system});
    }
    out << table.text();
    return {};
  }
  JsonWriter json(out);
  json.beginObject().key("workloads").beginArray();
  for (const auto& [name, recipe] : recipes) {
    json.beginObject().key("name").text(name).key("model").text(recipe.name);
    json.key("description").text(recipe.description).key("system").text(recipe.system);
    json.key("source").text(recipe.source);
    if (recipe.published.stepSeconds) json.key("step_seconds").number(*recipe.published.stepSeconds);
    json.key("published").text(recipe.published.text).end();
  }
  json.end().end();
  return {};
}

}  // namespace p2::cli
