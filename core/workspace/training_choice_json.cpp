// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/detail/training_choice_json.h"

#include "workspace/detail/property_json.h"
#include "workspace/training_fields.h"

namespace p2::inline workspace {
namespace {

constexpr std::string_view kNeedTraining =
    "training has model, config, batch, sequence, precision, framework, reserve, fixed, chosen and mine";
constexpr std::string_view kNeedChosen =
    "a chosen configuration has a framework and its choices, as in {\"framework\": \"megatron\", \"choices\": "
    "\"tp=8,pp=4\"}";

Json unlessEmpty(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

Json chosenConfigurationJson(const ChosenConfiguration& chosen) {
  return {{"framework", chosen.framework}, {"choices", chosen.choices}, {"order", unlessEmpty(chosen.order)}};
}

ChosenConfiguration readChosenConfiguration(const JsonValue& in) {
  ChosenConfiguration chosen;
  chosen.framework = in.at("framework", kNeedChosen).text(kNeedChosen);
  chosen.choices = in.at("choices", kNeedChosen).text(kNeedChosen);
  if (in.has("order")) chosen.order = in.at("order", {}).text("an order of ranks is a name, as in Megatron-LM");
  return chosen;
}

Json trainingChoiceJson(const TrainingChoice& choice) {
  if (choice == TrainingChoice{}) return {};
  Json json = Json::object();
  writeProperties(json, trainingFields(), choice);
  json["chosen"] = choice.chosen ? chosenConfigurationJson(*choice.chosen) : Json();
  return json;
}

TrainingChoice readTrainingChoice(const JsonValue& in) {
  TrainingChoice choice;
  if (!in.json().is_object()) in.refuse("an object", kNeedTraining);
  readProperties(in, trainingFields(), choice, {}, {}, true);
  if (in.has("chosen")) choice.chosen = readChosenConfiguration(in.at("chosen", {}));
  return choice;
}

}  // namespace p2::inline workspace
