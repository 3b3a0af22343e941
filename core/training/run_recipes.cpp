// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of published recipes that the tables of their step times do not name.
#include "training/detail/run_recipes.h"

#include <algorithm>
#include <cassert>
#include <cctype>

#include "training/detail/training_files.h"

namespace p2::inline training {
namespace {

constexpr const char* kNewestRecipes = "26.08";
constexpr const char* kFunctionalRecipes = "library";

/// "deepseekv3" of "DeepSeek-V3" and of "deepseek_v3".
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

/// Recipes in 8 bits scale whole tensors ("cs") or blocks ("mx"); tables say so in several ways.
std::string recipePrecision(std::string_view published, bool blackwell) {
  const auto has = [published](std::string_view word) { return published.find(word) != std::string_view::npos; };
  if (has("fp4")) return "fp4";
  if (!has("fp8")) return "bf16";
  return !blackwell || has("cs") || has("current") ? "fp8_cs" : "fp8_mx";
}

const std::vector<TrainingRow>& recipes() {
  static const std::vector<TrainingRow> kRecipes = [] {
    auto read = trainingRowsFrom(trainingRecipesFile());
    assert(read.ok());
    return std::move(read).value();
  }();
  return kRecipes;
}

bool isOfRelease(const TrainingRow& recipe, const std::string& release) {
  return (" " + recipe.at("releases") + " ").find(" " + release + " ") != std::string::npos;
}

bool says(const TrainingRun& run, std::string_view word) { return run.note.find(word) != std::string::npos; }

/// Release whose recipe a run has. Cards name none: performance runs have the newest recipes, other runs have recipes
/// for functional tests.
std::string releaseOf(const TrainingRun& run) {
  if (!run.release.empty()) return run.release;
  const bool tuned = says(run, "pretrain_performance") || says(run, "pretrain_weak_scaling");
  return tuned ? kNewestRecipes : kFunctionalRecipes;
}

/// The recipe that agrees with most of the run's degrees; null where the release has none for model and accelerator.
const TrainingRow* recipeOf(const TrainingRun& run, std::string_view precision, const std::string& release) {
  const TrainingPlan& plan = run.configuration.plan;
  const bool blackwell = run.accelerator.generation == "B200" || run.accelerator.generation == "B300";
  const std::string wanted = recipePrecision(precision, blackwell);
  const std::string model = plainName(run.name);
  const std::string gpu = run.device.substr(0, run.device.find('-'));
  const TrainingRow* best = nullptr;
  int bestScore = -1;
  for (const TrainingRow& recipe : recipes()) {
    if (recipe.at("model") != model || recipe.at("gpu") != gpu || !isOfRelease(recipe, release)) continue;
    const auto agrees = [&](const char* column, std::int64_t value) {
      return recipe.at(column) == std::to_string(value) ? 1 : 0;
    };
    const int score = 8 * (recipe.at("precision") == wanted ? 1 : 0) + 2 * agrees("ep", plan.expert) +
                      2 * agrees("pp", plan.pipeline) + agrees("vpp", plan.chunks) +
                      agrees("micro_batch", plan.microbatch) + agrees("batch", plan.globalBatch);
    if (score > bestScore) {
      best = &recipe;
      bestScore = score;
    }
  }
  return best;
}

}  // namespace

void applyRecipe(std::string_view precision, TrainingRun& run) {
  if (run.source != "Megatron-Bridge" || run.model.experts == 0) return;
  // In one release GPT-OSS in 8 bits is as slow as in 16 bits; the releases before and after it are 1.6 times as fast.
  const bool isInSixteen = run.model.sinks && run.release == "26.06.01";
  const TrainingRow* recipe = recipeOf(run, isInSixteen ? "bf16" : precision, releaseOf(run));
  if (recipe == nullptr) return;
  TrainingConfiguration& configuration = run.configuration;
  configuration.dispatch = expertDispatchFrom(recipe->at("dispatcher")).value();
  configuration.graphs = graphScopeFrom(recipe->at("graphs")).value();
  if (!says(run, "EP overlap")) configuration.plan.expertOverlap = recipe->at("ep_overlap") == "yes";
  std::string modules = recipe->at("recompute_modules");
  std::replace(modules.begin(), modules.end(), ' ', '+');
  if (!modules.empty()) setRecomputation(configuration, recomputeChoiceFrom(modules).value());
}

}  // namespace p2::inline training
