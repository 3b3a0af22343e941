// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/model/model_choices.h"

#include <algorithm>
#include <utility>

#include "training/model_argument.h"
#include "workload/generate/bundled_models.h"
#include "workload/generate/training_plan.h"
#include "workload/generate/training_recipe.h"

namespace p2::views {
namespace {

/// By family, then by size.
std::pair<std::string, std::int64_t> orderOf(const ModelChoice& model) {
  const auto source = model.config.empty() ? modelFromArgument(model.name) : modelFromText(model.config);
  return {model.name.substr(0, model.name.find('-')), source.ok() ? modelParameters(source->shape) : 0};
}

}  // namespace

const std::vector<ModelChoice>& modelChoices() {
  static const std::vector<ModelChoice> kChoices = [] {
    std::vector<ModelChoice> choices;
    for (const BundledRecipe& recipe : bundledRecipes()) {
      const auto read = bundledRecipe(recipe.name);
      if (read.ok() && !read->listed) choices.push_back({std::string(recipe.name), {}});
    }
    for (const BundledModel& model : bundledModels()) {
      choices.push_back({std::string(model.name), std::string(model.config)});
    }
    std::sort(choices.begin(), choices.end(),
              [](const ModelChoice& a, const ModelChoice& b) { return orderOf(a) < orderOf(b); });
    return choices;
  }();
  return kChoices;
}

TrainingChoice withModel(TrainingChoice training, const ModelChoice& model) {
  training.model = model.name;
  training.config = model.config;
  training.chosen.reset();
  training.fixed.clear();
  const auto source = model.config.empty() ? modelFromArgument(model.name) : modelFromText(model.config);
  if (source.ok() && !checkSequence(source->shape, training.sequence).ok()) {
    training.sequence = source->shape.positions;
  }
  return training;
}

}  // namespace p2::views
