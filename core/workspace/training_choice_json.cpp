// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/detail/training_choice_json.h"

#include "base/figures.h"

namespace p2::inline workspace {
namespace {

constexpr std::string_view kNeedTraining =
    "training has model, config, batch, sequence, precision, framework, reserve, fixed, chosen and mine";
constexpr std::string_view kNeedChosen =
    "a chosen configuration has a framework and its choices, as in {\"framework\": \"megatron\", \"choices\": "
    "\"tp=8,pp=4\"}";
constexpr std::int64_t kMostSequences = std::int64_t{1} << 30;

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
  return {{"model", unlessEmpty(choice.model)},
          {"config", unlessEmpty(choice.config)},
          {"batch", choice.batch},
          {"sequence", choice.sequence},
          {"precision", choice.precision},
          {"framework", choice.framework},
          {"reserve", choice.reserve == 0 ? Json() : jsonNumber(choice.reserve)},
          {"fixed", unlessEmpty(choice.fixed)},
          {"chosen", choice.chosen ? chosenConfigurationJson(*choice.chosen) : Json()},
          {"mine", unlessEmpty(choice.mine)}};
}

TrainingChoice readTrainingChoice(const JsonValue& in) {
  TrainingChoice choice;
  if (!in.json().is_object()) in.refuse("an object", kNeedTraining);
  if (in.has("model")) choice.model = in.at("model", {}).text("a model is a name, as in llama3-70b");
  if (in.has("config")) choice.config = in.at("config", {}).text("a config is the text of a config.json");
  if (in.has("batch")) choice.batch = in.at("batch", {}).whole(1, kMostSequences, "a step has 1 or more sequences");
  if (in.has("sequence")) {
    choice.sequence = in.at("sequence", {}).whole(1, kMostSequences, "a sequence has 1 or more tokens");
  }
  if (in.has("precision")) choice.precision = in.at("precision", {}).text("a precision is bf16, fp8 or fp4");
  if (in.has("framework")) choice.framework = in.at("framework", {}).text("a framework is a name, as in megatron");
  if (in.has("reserve")) {
    choice.reserve = in.at("reserve", {}).number(0, kAmountRange.most, "use bytes, 0 for the default");
  }
  if (in.has("fixed")) choice.fixed = in.at("fixed", {}).text("fixed choices are a text, as in tp=8,pp=4");
  if (in.has("chosen")) choice.chosen = readChosenConfiguration(in.at("chosen", {}));
  if (in.has("mine")) choice.mine = in.at("mine", {}).text("an own configuration is a text");
  return choice;
}

}  // namespace p2::inline workspace
