// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/freed_choices.h"

#include <algorithm>

#include "training/framework_placements.h"

namespace p2::inline training_answer {
namespace {

/// Choices of fixedChoicesText(), one each.
std::vector<std::string> singleChoices(const FixedChoices& fixed) {
  std::vector<std::string> single;
  const std::string text = fixedChoicesText(fixed);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    single.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return single;
}

std::string withoutChoice(const std::vector<std::string>& all, std::size_t place) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != place) text += (text.empty() ? "" : ",") + all[i];
  }
  return text;
}

}  // namespace

Result<std::vector<FreedChoice>> freedChoices(const TrainingQuestion& question, std::stop_token stop) {
  const PlacementPricer placements = frameworkPlacements(question.model, question.system);
  std::vector<FreedChoice> freed;
  const auto tryWith = [&](const std::string& released, const std::string& left) -> Result<void> {
    TrainingQuestion other = question;
    other.best = 1;
    other.listsLarge = false;
    P2_TRY_ASSIGN(other.fixed, fixedChoicesFrom(left));
    const auto answer = planTraining(other, placements, stop);
    if (answer.ok()) freed.push_back({released, left, answer->configurations.front().estimate.seconds});
    return !answer.ok() && answer.error().kind == ErrorKind::Cancelled ? answer.error() : Result<void>();
  };
  const std::vector<std::string> all = singleChoices(question.fixed);
  for (std::size_t i = 0; i < all.size(); ++i) P2_TRY(tryWith(all[i], withoutChoice(all, i)));
  if (freed.empty() && all.size() > 1) P2_TRY(tryWith(fixedChoicesText(question.fixed), {}));
  std::stable_sort(freed.begin(), freed.end(),
                   [](const FreedChoice& a, const FreedChoice& b) { return a.seconds < b.seconds; });
  return freed;
}

}  // namespace p2::inline training_answer
