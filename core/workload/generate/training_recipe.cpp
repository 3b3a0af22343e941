// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/training_recipe.h"

#include <algorithm>

#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"
#include "workload/generate/fields.h"
#include "workload/generate/fields_json.h"
#include "workload/generate/generator.h"
#include "workload/workload_json.h"

namespace p2::inline workload {
namespace {

constexpr std::string_view kNeedRecipe = "a model file has \"name\", \"model\" and \"plan\", or \"workload\"";
constexpr double kMostFigures = 1e18;

std::optional<double> readFigure(const JsonValue& in, std::string_view key) {
  if (!in.has(key)) return {};
  return in.at(key, {}).number(0, kMostFigures, "use a number, 0 or more");
}

PublishedFigures readPublished(const JsonValue& in) {
  PublishedFigures published;
  published.stepSeconds = readFigure(in, "step_seconds");
  published.teraflopsPerDevice = readFigure(in, "teraflops_per_device");
  published.utilisation = readFigure(in, "utilisation");
  published.exposedShare = readFigure(in, "exposed_share");
  if (in.has("text")) published.text = in.at("text", {}).text("published figures are a string");
  return published;
}

void readTexts(const JsonValue& in, TrainingRecipe& recipe) {
  recipe.name = in.at("name", kNeedRecipe).text("a model's name is a string");
  if (in.has("description")) recipe.description = in.at("description", {}).text("a description is a string");
  if (in.has("source")) recipe.source = in.at("source", {}).text("a source is a string");
  if (in.has("system")) recipe.system = in.at("system", {}).text("a system is a string");
}

Result<WorkloadSource> listedWorkload(const TrainingRecipe& recipe, std::span<const PlanChange> changes) {
  WorkloadSource source{*recipe.listed, {}, {}, {}};
  source.workload.name = recipe.name;
  for (const PlanChange& change : changes) {
    const auto size = parseInteger(change.value);
    const bool isSize = change.key == "dp" || change.key == "devices";
    if (!isSize || source.workload.axes.size() != 1) {
      return Error{"the list of " + recipe.name + " was recorded and has no model; only dp can change"}.at(change.key);
    }
    if (!size || *size < 2)
      return Error{"\"" + change.value + "\" is not valid; use a whole number from 2"}.at(change.key);
    source.workload.axes[0].size = *size;
  }
  source.understood.push_back(countedText(source.workload.collectives.size(), "entry", "entries") + ", as seen");
  P2_TRY(checkWorkload(source.workload));
  return source;
}

void readModel(const JsonValue& in, ModelShape& model) {
  readFields(in, modelFields(), model, kNeedRecipe);
  // What limits of nodes were called before there were other groups.
  if (in.has("nodes_per_token")) {
    model.groupsPerToken = in.at("nodes_per_token", {}).whole(0, INT64_MAX, "use a whole number, 0 for no limit");
  }
}

}  // namespace

Result<TrainingRecipe> recipeFromJson(std::string_view text) {
  P2_TRY_ASSIGN(const auto json, parseJson(text));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  (void)readHeader(in, {kModelFormat});
  TrainingRecipe recipe;
  readTexts(in, recipe);
  if (in.has("published")) recipe.published = readPublished(in.at("published", {}));
  if (in.has("workload")) {
    recipe.listed = readWorkload(in.at("workload", {}));
  } else {
    readModel(in.at("model", kNeedRecipe), recipe.model);
    if (in.has("plan")) {
      const JsonValue plan = in.at("plan", {});
      readFields(plan, planFields(), recipe.plan, kNeedRecipe);
      for (const auto& [key, value] : plan.members(kNeedRecipe)) recipe.given.emplace_back(key);
    }
    recipe.model.name = recipe.name;
  }
  if (problem) return *problem;
  return recipe;
}

Result<WorkloadSource> recipeWorkload(TrainingRecipe recipe, std::span<const PlanChange> changes) {
  if (recipe.listed) return listedWorkload(recipe, changes);
  P2_TRY(applyChanges(changes, recipe.model, recipe.plan));
  // Given degrees imply other devices than the published ones; the batch of a step stays.
  const auto gives = [&](std::string_view key) {
    return std::any_of(changes.begin(), changes.end(), [&](const PlanChange& change) { return change.key == key; });
  };
  if (gives("devices") && !gives("dp")) recipe.plan.data = 0;
  if (!gives("devices") && (gives("dp") || gives("tp") || gives("pp") || gives("cp"))) recipe.plan.devices = 0;
  if (gives("microbatches") && !gives("global_batch")) recipe.plan.globalBatch = 0;
  if (gives("global_batch") && !gives("microbatches")) recipe.plan.microbatches = 0;
  for (const PlanChange& change : changes) recipe.given.push_back(change.key);
  return generateWorkload(recipe.model, recipe.plan, recipe.given);
}

Result<TrainingRecipe> bundledRecipe(std::string_view name) {
  const auto recipes = bundledRecipes();
  const auto found = std::find_if(recipes.begin(), recipes.end(), [&](const auto& each) { return each.name == name; });
  if (found != recipes.end()) return recipeFromJson(found->json);
  const std::string known = joined(recipes, ", ", &BundledRecipe::name);
  return Error{"there is no workload called \"" + std::string(name) + "\"; use one of " + known + ", or a file"};
}

}  // namespace p2::inline workload
