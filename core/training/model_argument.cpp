// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/model_argument.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "text/text_file.h"
#include "training/model_name.h"
#include "workload/generate/bundled_models.h"
#include "workload/generate/hugging_face.h"
#include "workload/generate/training_recipe.h"

namespace p2::inline training {
namespace {

/// Names of models may have dots, as in qwen2.5.
bool looksLikePath(const std::string& argument) {
  return argument.find('/') != std::string::npos || argument.ends_with(".json");
}

/// The names of the bundled recipes that have a model and of the other bundled models, as a list.
std::string knownModels() {
  std::string known;
  for (const BundledRecipe& each : bundledRecipes()) {
    const auto recipe = recipeFromJson(each.json);
    if (recipe.ok() && !recipe.value().listed) known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  for (const BundledModel& each : bundledModels()) known += ", " + std::string(each.name);
  return known;
}

Result<ModelSource> fromRecipe(const Result<TrainingRecipe>& recipe) {
  if (!recipe.ok()) return recipe.error();
  if (recipe.value().listed) {
    return Error{"\"" + recipe.value().name +
                 "\" is a list of collectives without a model; use a bundled model or a config.json"};
  }
  ModelSource source{resolved(recipe.value().model), {}};
  P2_TRY(checkModel(source.shape));
  return source;
}

}  // namespace

Result<ModelSource> modelFromText(const std::string& text) {
  if (text.find(kModelFormat) != std::string::npos) return fromRecipe(recipeFromJson(text));
  P2_TRY_ASSIGN(auto configured, modelFromConfig(text));
  ModelSource source{resolved(configured.shape), std::move(configured.assumed)};
  P2_TRY(checkModel(source.shape));
  return source;
}

Result<ModelSource> bundledModelNamed(const std::string& name) {
  const auto recipe = bundledRecipe(name);
  if (recipe.ok()) return fromRecipe(recipe);
  for (const BundledModel& each : bundledModels()) {
    if (each.name != name) continue;
    P2_TRY_ASSIGN(auto source, modelFromText(std::string(each.config)));
    source.shape.name = name;
    return source;
  }
  return Error{"there is no model called \"" + name + "\"; use one of " + knownModels() + ", or a config.json"};
}

Result<ModelSource> modelFromArgument(const std::string& argument) {
  const auto isNamed = [&](const auto& each) { return each.name == argument; };
  if (std::ranges::any_of(bundledModels(), isNamed) || bundledRecipe(argument).ok()) return bundledModelNamed(argument);
  const auto text = readTextFile(argument);
  if (text.ok()) {
    P2_TRY_ASSIGN(auto source, modelFromText(*text).within(argument));
    if (std::string name = modelNameOf(argument, *text); !name.empty()) source.shape.name = std::move(name);
    return source;
  }
  std::error_code ignored;  // as of a name that is too long for a file
  if (looksLikePath(argument) || std::filesystem::exists(argument, ignored)) return text.error();
  return bundledModelNamed(argument);
}

}  // namespace p2::inline training
