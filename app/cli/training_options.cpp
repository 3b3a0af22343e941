// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training_options.h"

#include "app/cli/options.h"
#include "training_files/stated_training.h"
#include "workspace/training_fields.h"

namespace p2::cli {
namespace {

std::string trainingOptionOf(const PropertyInfo& info) {
  return info.key == "fixed" ? std::string("--") + kFixKey : optionOf(info);
}

/// "Sequences of a step", and the default where it is a value that could be typed.
std::string trainingHelpOf(const PropertyInfo& info, const PropertyValue& preset) {
  const std::string text = propertyText(info, preset);
  const bool isTyped = propertyFromText(info, text).ok() && text != "0";
  return std::string(info.tip) + (isTyped && !text.empty() ? " (" + text + ")" : "");
}

template <class Part>
void addTrainingOption(CLI::App& command, const Property<Part>& field, TrainingRequest& request) {
  const PropertyInfo& info = field.info;
  const std::string name = trainingOptionOf(info);
  if (info.kind == PropertyKind::Flag) {
    command.add_flag_function(
        name, [&field, &request](std::int64_t) { field.set(request, true); }, std::string(info.tip));
    return;
  }
  const auto take = [&field, &request, name](const std::string& text) {
    const auto value = propertyFromText(field.info, text);
    if (!value.ok()) throw CLI::ValidationError(name, value.error().message);
    field.set(request, *value);
  };
  command.add_option_function<std::string>(name, take, trainingHelpOf(info, field.get(request)))
      ->type_name(info.key == "fixed" ? "CHOICES" : placeholderOf(info));
}

}  // namespace

void addTrainingOptions(CLI::App& command, TrainingRequest& request, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const auto* const common = propertyOf(trainingFields(), key);
    const auto* const search = propertyOf(trainingSearchFields(), key);
    if (common != nullptr) addTrainingOption(command, *common, request);
    if (search != nullptr) addTrainingOption(command, *search, request);
  }
}

CLI::Option* addTrainingModel(CLI::App& command, std::string_view declaration, std::string& model) {
  return addValue(
      command, declaration, model,
      "A bundled model, as in llama3-70b, a config.json, or a training configuration that declares its model");
}

Result<ModelSource> trainingModelOf(const std::string& argument, const std::string& name) {
  auto model = modelFromArgument(argument);
  if (model.ok()) return model;
  const auto stated = readTrainingFile(argument);
  if (!stated.ok() || stated.value().model.layers == 0 || stated.value().model.hidden == 0) {
    return std::move(model).within(name);
  }
  if (stated.value().model.vocabulary == 0) {
    return Error{"the file leaves the vocabulary to its tokenizer; add its number of tokens, as in --vocab-size 128256"}
        .within(name)
        .within(argument);
  }
  ModelSource source{resolved(stated.value().model), {"the model is the one that " + argument + " declares"}};
  P2_TRY(checkModel(source.shape).within(name).within(argument));
  return source;
}

Result<void> checkBatchGiven(const TrainingRequest& request) {
  if (request.batch > 0) return {};
  return Error{"a number of sequences is needed, as in --batch 1024", "--batch"};
}

Result<TrainingInput> readTrainingOptions(const TrainingRequest& request, ModelSource model, System system) {
  auto input = readTrainingRequest(request, std::move(model), std::move(system));
  if (input.ok()) return input;
  Error error = input.error();
  error.where.document.insert(0, "--");
  return error;
}

}  // namespace p2::cli
