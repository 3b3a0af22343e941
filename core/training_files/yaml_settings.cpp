// SPDX-License-Identifier: GPL-3.0-or-later
#include <yaml-cpp/yaml.h>

#include "training_files/detail/setting.h"

namespace p2::inline training_files {
namespace {

constexpr int kMostDepth = 32;
/// Aliases can repeat a value without end.
constexpr std::size_t kMostSettings = 20000;
constexpr int kMostListDepth = 3;

/// "a,b", and of a list of lists "[a,b],[c]".
std::string listText(const YAML::Node& list, int depth) {
  std::string joined;
  if (depth > kMostListDepth) return joined;
  for (const YAML::Node& each : list) {
    if (joined.size() > kMostSettingsBytes) break;
    if (!each.IsScalar() && !each.IsSequence()) continue;
    joined += (joined.empty() ? "" : ",") + (each.IsSequence() ? "[" + listText(each, depth + 1) + "]" : each.Scalar());
  }
  return joined;
}

std::string scalarText(const YAML::Node& node) { return node.IsScalar() ? node.Scalar() : std::string(); }

/// False when the file has more than can be meant.
bool collect(const YAML::Node& node, const std::string& path, int depth, Settings& settings) {
  if (depth > kMostDepth || settings.all.size() > kMostSettings) return false;
  if (node.IsMap()) {
    for (const auto& member : node) {
      const std::string key = settingKey(scalarText(member.first));
      if (!collect(member.second, path.empty() ? key : path + "." + key, depth + 1, settings)) return false;
    }
    return true;
  }
  if (node.IsSequence()) {
    for (const YAML::Node& each : node) {
      if (each.IsMap() && !collect(each, path, depth + 1, settings)) return false;
    }
    const std::string joined = node.size() == 0 ? std::string(kEmptyList) : listText(node, 1);
    if (!joined.empty()) settings.all.push_back({path, joined, static_cast<std::size_t>(node.Mark().line + 1)});
    return true;
  }
  settings.all.push_back({path, scalarText(node), static_cast<std::size_t>(node.Mark().line + 1)});
  return true;
}

}  // namespace

Result<Settings> yamlSettings(std::string_view text) {
  if (text.size() > kMostSettingsBytes) return Error{"the file is longer than a configuration can be"};
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    Settings settings;
    if (!root.IsMap()) return Error{"the text is not YAML with keys and values"};
    if (!collect(root, "", 0, settings)) return Error{"the file has more values than a configuration can have"};
    return settings;
  } catch (const YAML::Exception& error) {
    return Error{"the text is not YAML: " + error.msg, "line " + std::to_string(error.mark.line + 1)};
  }
}

}  // namespace p2::inline training_files
