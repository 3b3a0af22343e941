// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/document_training.h"

#include <algorithm>
#include <array>

#include "text/text_file.h"
#include "training/framework_placements.h"
#include "training/model_argument.h"
#include "training/model_name.h"
#include "training_answer/detail/training_reasons.h"
#include "workload/generate/bundled_models.h"
#include "workload/generate/training_recipe.h"

namespace p2::inline training_answer {
namespace {

/// Placements of one configuration and its variants that are looked through for an order of ranks.
constexpr std::size_t kVariants = 64;
constexpr std::string_view kRankFileOrder = "rank file ";

FixedChoices withoutDerived(FixedChoices choices) {
  choices.data.reset();
  if (choices.replicas == 1) choices.replicas.reset();
  return choices;
}

/// The order of ranks as a document names it: one of the framework's, or the matrix that a rank file gives.
std::string orderNameOf(const PlannedConfiguration& planned) {
  if (planned.needsRankFile()) return std::string(kRankFileOrder) + planned.matrix.text();
  return planned.orders.empty() ? std::string() : planned.orders.front();
}

bool hasOrder(const PlannedConfiguration& planned, const std::string& order) {
  return order.empty() || orderNameOf(planned) == order ||
         std::find(planned.orders.begin(), planned.orders.end(), order) != planned.orders.end();
}

/// Null for a model that does not come with the program.
const BundledModel* bundledModel(std::string_view name) {
  const auto models = bundledModels();
  const auto found =
      std::find_if(models.begin(), models.end(), [name](const BundledModel& each) { return each.name == name; });
  return found == models.end() ? nullptr : &*found;
}

}  // namespace

Result<TrainingInput> trainingInputOf(const System& system, const TrainingChoice& choice) {
  if (choice.model.empty() && choice.config.empty()) return Error{"no model is chosen; choose one"}.within(kModelKey);
  TrainingRequest request;
  static_cast<TrainingChoice&>(request) = choice;
  P2_TRY_ASSIGN(
      auto source,
      (choice.config.empty() ? modelFromArgument(choice.model) : modelFromText(choice.config)).within(kModelKey));
  // A config.json names its family only.
  if (!choice.model.empty()) source.shape.name = choice.model;
  return readTrainingRequest(request, std::move(source), system);
}

Result<TrainingChoice> withModelArgument(TrainingChoice choice, const std::string& argument) {
  std::string name = argument;
  std::string config;
  if (const BundledModel* bundled = bundledModel(argument)) {
    config = bundled->config;
  } else if (!bundledRecipe(argument).ok()) {
    P2_TRY_ASSIGN(config, readTextFile(argument));
    P2_TRY_ASSIGN(const ModelSource source, modelFromText(config));
    name = modelNameOf(argument, config);
    if (name.empty()) name = source.shape.name;
  }
  if (choice.model == name && choice.config == config) return choice;
  choice.model = std::move(name);
  choice.config = std::move(config);
  choice.fixed.clear();
  choice.chosen.reset();
  return choice;
}

TrainingChoice statedChoice(TrainingChoice choice, const StatedTraining& stated, const std::string& text) {
  choice.mine = text;
  if (stated.framework != nullptr) choice.framework = stated.framework->name;
  if (stated.globalBatch) choice.batch = *stated.globalBatch;
  if (stated.sequence) choice.sequence = *stated.sequence;
  if (stated.precision) choice.precision = nameOf(*stated.precision);
  if (bundledRecipe(stated.modelName).ok() || bundledModel(stated.modelName) != nullptr) {
    if (auto named = withModelArgument(choice, stated.modelName); named.ok()) choice = std::move(named).value();
  }
  return choice;
}

ChosenConfiguration chosenFrom(const PlannedConfiguration& planned) {
  return {std::string(planned.framework->name), fixedChoicesText(withoutDerived(choicesOf(planned.configuration))),
          orderNameOf(planned)};
}

std::optional<std::size_t> placeOf(const ChosenConfiguration& chosen, const TrainingAnswer& answer) {
  const auto choices = fixedChoicesFrom(chosen.choices);
  if (!choices.ok()) return std::nullopt;
  const auto& all = answer.configurations;
  const auto found = std::find_if(all.begin(), all.end(), [&](const PlannedConfiguration& each) {
    FixedChoices own = withoutDerived(choicesOf(each.configuration));
    // Older documents do not say whether parameters are gathered once, and how context parallelism exchanges.
    if (!choices->reshard) own.reshard.reset();
    if (!choices->contextKind) own.contextKind.reset();
    return each.framework->name == chosen.framework && hasOrder(each, chosen.order) && own == *choices;
  });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

Result<PlannedConfiguration> planChosen(TrainingQuestion question, const ChosenConfiguration& chosen,
                                        std::stop_token stop) {
  P2_TRY_ASSIGN(const auto framework, trainingFrameworkFrom(chosen.framework));
  P2_TRY_ASSIGN(const auto given, fixedChoicesFrom(chosen.choices));
  question.frameworks = {framework};
  question.everyVariant = true;
  question.best = kVariants;
  std::array<FixedChoices, 3> attempts;
  attempts.fill(withoutDerived(given));
  for (std::size_t i = 1; i < attempts.size(); ++i) attempts[i].microbatch.reset();
  for (std::size_t i = 1; i < attempts.size(); ++i) attempts[i].layout.reset();
  attempts[1].replicas.reset();
  attempts[2].replicas.reset();
  attempts[2].expert.reset();
  attempts[2].expertTensor.reset();
  std::optional<Error> problem;
  for (const FixedChoices& attempt : attempts) {
    question.fixed = attempt;
    const TrainingPlacements placements = trainingPlacements(question.model, question.system);
    const bool byRankFile = chosen.order.starts_with(kRankFileOrder);
    auto answer =
        planTraining(question, placements.orders, stop, {}, byRankFile ? placements.rankFiles : PlacementPricer());
    if (!answer.ok()) {
      if (answer.error().kind == ErrorKind::Cancelled) return answer.error();
      if (!problem) problem = answer.error();
      continue;
    }
    auto& all = answer.value().configurations;
    const auto found = std::find_if(
        all.begin(), all.end(), [&chosen](const PlannedConfiguration& each) { return hasOrder(each, chosen.order); });
    PlannedConfiguration planned = std::move(found == all.end() ? all.front() : *found);
    planned.tiesWith.clear();
    return planned;
  }
  question.fixed = attempts.front();
  if (const auto accelerator = trainingAcceleratorOf(question.system); accelerator.ok()) {
    if (const auto reason = reasonOfNoAnswer(question, *accelerator, stop)) return *reason;
  }
  return *problem;
}

}  // namespace p2::inline training_answer
