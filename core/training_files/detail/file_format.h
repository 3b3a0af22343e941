// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: the settings of a framework as data.
#pragma once

#include <functional>
#include <span>

#include "training_files/detail/setting.h"
#include "training_files/stated_training.h"

namespace p2::inline training_files {

/// A setting of a framework's files.
struct KnownSetting {
  std::string_view key;      ///< last parts of its path, in the form of Setting::key
  std::string_view meaning;  ///< "tp"; empty: it only helps to recognise the format
  /// Writes the value down. False: the value is not one of the setting.
  bool (*read)(std::string_view value, StatedTraining& stated) = nullptr;
  std::string_view need = {};  ///< values of the setting, for errors: "a whole number of 1 or more"
};

/// A kind of configuration files.
struct FileFormat {
  std::string_view name;       ///< "Megatron-LM arguments"
  std::string_view framework;  ///< name of the TrainingFramework whose rules apply
  std::span<const KnownSetting> settings;
  std::span<const KnownSetting> (*also)() = nullptr;  ///< settings of another format that its files have too
  std::string_view names = {};  ///< in resources/training/arguments.csv, the framework's; empty for none
  /// Sets the framework's defaults that settings change; null for none.
  void (*prepare)(StatedTraining& stated) = nullptr;
  /// Draws the conclusions from all settings together; null for none.
  void (*finish)(StatedTraining& stated) = nullptr;
};

extern const FileFormat kMegatronFile;
extern const FileFormat kTorchTitanFile;
extern const FileFormat kDeepSpeedFile;
extern const FileFormat kFsdpFile;
extern const FileFormat kNanotronFile;
extern const FileFormat kMaxTextFile;
extern const FileFormat kNeuronxFile;

/// Settings of launchers: torchrun, srun, deepspeed, mpirun, NeMo's trainer.
[[nodiscard]] std::span<const KnownSetting> launcherSettings();
/// Arguments of launchers without a meaning here, as settingKey() writes them.
[[nodiscard]] bool isLauncherSetting(std::string_view key);

/// Whether the framework's parser knows the name, by the list in resources/training/arguments.csv.
[[nodiscard]] bool isArgumentName(std::string_view framework, std::string_view key);

namespace settings {

inline constexpr std::string_view kCountNeed = "a whole number of 1 or more";
inline constexpr std::string_view kFlagNeed = "true or false";
inline constexpr std::string_view kFactorNeed = "a number of 0 or more";

/// A whole number of at least `Least`; values that stand for none leave the field empty.
template <auto Field, std::int64_t Least = 1>
bool whole(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  const auto number = wholeOf(value);
  if (!number || *number < Least || *number > (std::int64_t{1} << 40)) return false;
  stated.*Field = *number;
  return true;
}
template <auto Field>
bool flag(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  const auto flag = flagOf(value);
  if (flag) stated.*Field = *flag;
  return flag.has_value();
}
/// A lone option that switches something off.
template <auto Field>
bool noFlag(std::string_view value, StatedTraining& stated) {
  const auto flag = flagOf(value);
  if (flag) stated.*Field = !*flag;
  return flag.has_value();
}
/// A size of the model's shape.
template <auto Field, std::int64_t Least = 1>
bool shape(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  const auto number = wholeOf(value);
  if (!number || *number < Least || *number > (std::int64_t{1} << 40)) return false;
  stated.model.*Field = *number;
  return true;
}
template <auto Field, bool kValue = true>
bool shapeFlag(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  const auto flag = flagOf(value);
  if (flag) stated.model.*Field = *flag == kValue;
  return flag.has_value();
}
/// A number above 0; values that stand for none leave the field as it is.
inline bool factorInto(std::string_view value, double& field) {
  if (isNone(value)) return true;
  const auto number = numberOf(value);
  if (!number || *number < 0) return false;
  field = *number;
  return true;
}
template <auto Field>
bool shapeFactor(std::string_view value, StatedTraining& stated) {
  return factorInto(value, stated.model.*Field);
}
template <auto Field>
bool factor(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  return factorInto(value, (stated.*Field).emplace());
}
inline bool modelName(std::string_view value, StatedTraining& stated) {
  // A name of a model has its size.
  if (value.find_first_of("0123456789") != std::string_view::npos) stated.modelName = std::string(value);
  return true;
}
/// Launch flags alone need it: a base that is no whole number is left out.
inline bool rotaryBase(std::string_view value, StatedTraining& stated) {
  const auto base = wholeOf(value);
  if (base && *base > 0) stated.model.rotaryBase = *base;
  return true;
}
/// Launch flags alone need it. The default of all frameworks is 1.
inline bool rotaryShare(std::string_view value, StatedTraining& stated) {
  const auto share = numberOf(value);
  if (share && *share > 0 && *share < 1) stated.model.rotaryShare = *share;
  return true;
}
/// Launch flags alone need it: anything but one number is left out.
template <auto Field>
bool launchFactor(std::string_view value, StatedTraining& stated) {
  const auto number = numberOf(value);
  if (number && *number > 0) stated.model.*Field = *number;
  return true;
}
inline bool nothing(std::string_view, StatedTraining&) { return true; }
/// How often a word is in each of the innermost lists of "[[a, b], [b]]" or "[a, b],[b]".
[[nodiscard]] inline StageLayout countedInLists(std::string_view value, std::string_view word) {
  StageLayout counts;
  std::optional<std::int64_t> open;
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (value[at] == '[') open = 0;
    if (open && value.substr(at).starts_with(word)) ++*open;
    if (value[at] == ']' && open) {
      counts.push_back(*open);
      open.reset();
    }
  }
  return counts;
}

}  // namespace settings
}  // namespace p2::inline training_files
