// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "training_files/detail/setting.h"

namespace p2::inline training_files {
namespace {

constexpr int kMostDepth = 64;

std::string textOf(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  if (value.is_number()) return exactNumber(value.get<double>());
  if (!value.is_array()) return {};
  if (value.empty()) return std::string(kEmptyList);
  std::string joined;
  for (const auto& each : value) {
    if (each.is_primitive()) joined += (joined.empty() ? "" : ",") + textOf(each);
  }
  return joined;
}

void collect(const nlohmann::json& object, const std::string& path, int depth, Settings& settings) {
  if (depth > kMostDepth) return;
  for (const auto& [name, value] : object.items()) {
    const std::string key = path + settingKey(name);
    if (value.is_object()) {
      collect(value, key + ".", depth + 1, settings);
    } else {
      settings.all.push_back({key, textOf(value)});
    }
  }
}

std::size_t lineAt(std::string_view text, std::size_t byte) {
  return 1 + static_cast<std::size_t>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())), '\n'));
}

}  // namespace

Result<Settings> jsonSettings(std::string_view text) {
  if (text.size() > kMostSettingsBytes) return Error{"the file is longer than a configuration can be"};
  try {
    // Comments are what people leave in such files.
    const auto root = nlohmann::json::parse(text, nullptr, true, true);
    if (!root.is_object()) return Error{"the text is not a JSON object"};
    Settings settings;
    collect(root, "", 0, settings);
    return settings;
  } catch (const nlohmann::json::parse_error& error) {
    return Error{"the text is not JSON", "line " + std::to_string(lineAt(text, error.byte))};
  } catch (const nlohmann::json::exception&) {
    // A number that no double holds.
    return Error{"the text has a number out of range"};
  }
}

}  // namespace p2::inline training_files
