// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/framework_placements.h"
#include "training_answer/detail/training_reasons.h"
#include "training_answer/training_evaluation.h"

namespace p2::inline training_answer {

Result<OwnConfiguration> ownFromChoices(const TrainingInput& input, std::string_view choices, std::stop_token stop) {
  TrainingQuestion question = input.question;
  P2_TRY_ASSIGN(question.fixed, fixedChoicesFrom(choices));
  question.everyVariant = true;
  question.listsLarge = true;
  question.best = 1;
  const auto found = planTraining(question, frameworkPlacements(question.model, question.system), stop);
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
  own.configuration = planned.configuration;
  return own;
}

}  // namespace p2::inline training_answer
