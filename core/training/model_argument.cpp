// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/model_argument.h"

#include "text/text_file.h"
#include "workload/generate/hugging_face.h"
#include "workload/generate/training_recipe.h"

namespace p2::inline training {
namespace {

bool looksLikePath(const std::string& argument) { return argument.find_first_of("/.") != std::string::npos; }

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

Result<ModelSource> modelFromArgument(const std::string& argument) {
  if (!looksLikePath(argument)) {
    const auto recipe = bundledRecipe(argument);
    if (recipe.ok()) return fromRecipe(recipe);
    const auto text = readTextFile(argument);
    return text.ok() ? modelFromText(*text) : Result<ModelSource>(recipe.error());
  }
  P2_TRY_ASSIGN(const auto text, readTextFile(argument));
  return modelFromText(text).within(argument);
}

}  // namespace p2::inline training
