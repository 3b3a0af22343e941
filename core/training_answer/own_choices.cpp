// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/counted.h"
#include "base/lists.h"
#include "training/framework_placements.h"
#include "training_answer/detail/training_reasons.h"
#include "training_answer/training_evaluation.h"
#include "training_answer/training_plan_file.h"

namespace p2::inline training_answer {
namespace {

/// Choices of a configuration that a list does not make, without those that split and repeat nothing.
std::string choicesBeyond(std::string_view given, const TrainingConfiguration& configuration) {
  std::string text;
  for (const std::string& each : commaParts(fixedChoicesText(choicesOf(configuration)))) {
    const std::string key = each.substr(0, each.find('='));
    const std::string value = each.substr(key.size() + 1);
    const auto stated = commaParts(given);
    const bool isGiven = std::any_of(stated.begin(), stated.end(),
                                     [&key](const std::string& choice) { return choice.starts_with(key + "="); });
    // Data parallelism follows from the other degrees, the schedule from virtual stages, and layers are named anyway.
    const bool isDefault = value == "1" || value == "no" || value == "none" || key == "dp" || key == "layers" ||
                           (key == "schedule" && (value == "1f1b" || value == "interleaved")) ||
                           (key == "zero" && value == "0") || (key == "dispatch" && configuration.plan.expert == 1);
    if (!isGiven && !isDefault) text += (text.empty() ? "" : ", ") + each;
  }
  return text;
}

Result<void> checkSize(const std::string& what, std::int64_t planned, std::string_view unit,
                       std::optional<std::int64_t> given) {
  if (!given || *given == planned) return {};
  return Error{"the plan has " + what + " " + countedText(planned, unit) + ", and the question has " +
               std::to_string(*given) + "; set one to the other"};
}

}  // namespace

Result<OwnConfiguration> ownFromChoices(const TrainingInput& input, std::string_view choices, std::stop_token stop) {
  TrainingQuestion question = input.question;
  P2_TRY_ASSIGN(question.fixed, fixedChoicesFrom(choices));
  question.everyVariant = true;
  question.listsLarge = true;
  question.best = 1;
  const TrainingPlacements placements = trainingPlacements(question.model, question.system);
  const auto found = planTraining(question, placements.orders, stop, {}, placements.rankFiles);
  if (!found.ok()) {
    if (found.error().kind == ErrorKind::Cancelled) return found.error();
    P2_TRY_ASSIGN(const auto accelerator, trainingAcceleratorOf(question.system));
    return reasonOfNoAnswer(question, accelerator, stop).value_or(found.error());
  }
  const bool fits = !found->configurations.empty();
  if (!fits && found->large.empty()) return Error{found->problem, {}, ErrorKind::TooLarge};
  const PlannedConfiguration& planned = fits ? found->configurations.front() : found->large.front();
  OwnConfiguration own;
  own.stated.format = "choices";
  own.stated.framework = planned.framework;
  if (!planned.orders.empty()) own.stated.order = planned.orders.front();
  if (planned.needsRankFile()) own.stated.matrix = planned.matrix.text();
  own.configuration = planned.configuration;
  own.completed = choicesBeyond(choices, planned.configuration);
  return own;
}

Result<OwnConfiguration> ownFromPlan(std::string_view plan, TrainingInput& input, const GivenSizes& given) {
  P2_TRY_ASSIGN(auto file, trainingPlanFromJson(plan));
  TrainingQuestion& question = input.question;
  TrainingConfiguration& configuration = file.planned.configuration;
  const std::int64_t devices = devicesOf(configuration.plan);
  if (devices != question.system.deviceCount()) {
    return Error{"the plan is for " + countedText(devices, "device") + ", and the system has " +
                 std::to_string(question.system.deviceCount()) + "; use a system of that size"};
  }
  P2_TRY(checkSize("a batch of", configuration.plan.globalBatch, "sequence", given.batch));
  P2_TRY(checkSize("sequences of", configuration.plan.sequence, "token", given.sequence));
  question.batch = configuration.plan.globalBatch;
  question.sequence = configuration.plan.sequence;
  question.precision = configuration.precision;
  OwnConfiguration own;
  own.stated.format = kStatedByPlan;
  own.stated.framework = file.planned.framework;
  if (file.planned.orders.empty()) {
    own.stated.matrix = file.planned.matrix.text();
  } else {
    own.stated.order = file.planned.orders.front();
  }
  own.stated.model = file.question.model;
  own.configuration = std::move(configuration);
  for (std::string& each : differencesFrom(question, own.stated)) own.stated.assumed.push_back(std::move(each));
  return own;
}

}  // namespace p2::inline training_answer
