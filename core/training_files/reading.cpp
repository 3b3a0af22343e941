// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/reading.h"

#include <algorithm>
#include <array>
#include <set>

#include "training_files/detail/recipe_defaults.h"

namespace p2::inline training_files {
namespace {

/// In the order in which they are preferred between equals.
constexpr std::array<const FileFormat*, 7> kFormats{&kMegatronFile, &kTorchTitanFile, &kDeepSpeedFile, &kFsdpFile,
                                                    &kNanotronFile, &kMaxTextFile,    &kNeuronxFile};
constexpr std::string_view kPrimusFramework = "pre_trainer.framework";

std::size_t knownIn(const FileFormat& format, const Settings& settings) {
  std::set<const KnownSetting*> rows;
  for (const Setting& each : settings.all) {
    if (const KnownSetting* row = rowOf(format, each.key)) rows.insert(row);
  }
  return rows.size();
}

/// Puts the defaults of a recipe's framework in front of its own values. Returns the framework.
std::string addRecipeDefaults(Settings& settings) {
  for (const std::string& module : settings.modules) {
    const RecipeDefault* family = recipeFamily(module);
    if (family == nullptr) continue;
    std::vector<Setting> defaults;
    for (const RecipeDefault& each : recipeDefaults()) {
      if (each.family != family->family || !each.function.empty()) continue;
      defaults.push_back({.key = each.setting, .value = each.value, .isDefault = true});
    }
    settings.all.insert(settings.all.begin(), defaults.begin(), defaults.end());
    return family->family;
  }
  return {};
}

Reading readingOf(Syntax syntax, Settings settings) {
  Reading reading{syntax, std::move(settings)};
  if (syntax == Syntax::Python) reading.family = addRecipeDefaults(reading.settings);
  if (const FileFormat* named = primusFormat(reading.settings)) {
    reading.format = named;
    reading.known = 1 + knownIn(*named, reading.settings);
    return reading;
  }
  for (const FileFormat* format : kFormats) {
    const std::size_t known = knownIn(*format, reading.settings);
    if (known > reading.known) {
      reading.known = known;
      reading.format = format;
    }
  }
  return reading;
}

/// Length of the JSON object that a text begins with; options may follow it.
std::size_t objectLength(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && (text[i] == '{' || text[i] == '}')) {
      depth += text[i] == '{' ? 1 : -1;
      if (depth == 0) return i + 1;
    }
  }
  return text.size();
}

Result<Settings> jsonThenOptions(std::string_view text) {
  const std::size_t length = objectLength(text);
  P2_TRY_ASSIGN(auto settings, jsonSettings(text.substr(0, length)));
  P2_TRY_ASSIGN(const auto options, shellSettings(text.substr(length)));
  settings.all.insert(settings.all.end(), options.all.begin(), options.all.end());
  return settings;
}

bool hasTomlHead(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t close = line.find(']');
    if (line.starts_with('[') && !line.starts_with("[[ ") && close != std::string_view::npos && close > 1) {
      const std::string_view rest = line.substr(close + 1);
      const std::size_t first = rest.find_first_not_of(" \t\r");
      if (first == std::string_view::npos || rest[first] == '#') return true;
    }
    at = end + 1;
  }
  return false;
}

}  // namespace

const KnownSetting* rowIn(std::span<const KnownSetting> rows, std::string_view key) {
  const KnownSetting* best = nullptr;
  for (const KnownSetting& row : rows) {
    if (endsWithPath(key, row.key) && (best == nullptr || row.key.size() > best->key.size())) best = &row;
  }
  return best;
}

const KnownSetting* rowOf(const FileFormat& format, std::string_view key) {
  if (const KnownSetting* own = rowIn(format.settings, key)) return own;
  return format.also != nullptr ? rowIn(format.also(), key) : nullptr;
}

const FileFormat* primusFormat(const Settings& settings) {
  const Setting* named = settingOf(settings, kPrimusFramework);
  if (named == nullptr) return nullptr;
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const FileFormat* each) { return each->names == named->value; });
  return found == kFormats.end() ? nullptr : *found;
}

Result<Reading> bestReading(std::string_view text, std::string_view function, const std::string& path) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Error{"the file is empty"};
  const bool json = text[first] == '{';
  const bool toml = !json && hasTomlHead(text);
  if (json) {
    P2_TRY_ASSIGN(auto settings, jsonThenOptions(text.substr(first)));
    return readingOf(Syntax::Json, std::move(settings));
  }
  if (toml) {
    P2_TRY_ASSIGN(auto settings, tomlSettings(text));
    return readingOf(Syntax::Toml, std::move(settings));
  }
  if (path.ends_with(".py")) {
    P2_TRY_ASSIGN(auto settings, pythonSettings(text, function, path));
    return readingOf(Syntax::Python, std::move(settings));
  }
  Reading best;
  std::optional<Error> problem;
  const auto consider = [&](Syntax syntax, const Result<Settings>& settings) {
    if (!settings.ok()) {
      if (syntax == Syntax::Python) problem = settings.error();
      return;
    }
    Reading reading = readingOf(syntax, settings.value());
    if (reading.known > best.known) best = std::move(reading);
  };
  consider(Syntax::Printed, printedSettings(text));
  consider(Syntax::Yaml, yamlSettings(text));
  consider(Syntax::Shell, shellSettings(text));
  consider(Syntax::Python, pythonSettings(text, function, path));
  if (problem && (best.known < 2 || !function.empty())) return *problem;
  return best;
}

}  // namespace p2::inline training_files
