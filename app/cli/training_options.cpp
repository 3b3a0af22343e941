// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training_options.h"

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
