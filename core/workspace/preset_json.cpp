// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cassert>
#include <charconv>

#include "workspace/document_json.h"
#include "workspace/preset_files.h"
#include "workspace/presets.h"

namespace p2 {
namespace {

constexpr std::string_view kNodes = "nodes";
constexpr std::string_view kTimesNodes = " * nodes";

Json parsed(const PresetFile& file) {
  const auto json = parseJson(file.text);
  assert(json.ok());
  return *json;
}

/// The texts that stand for numbers replaced by those numbers.
void fill(Json& json, std::int64_t nodes) {
  if (json.is_structured()) {
    for (Json& item : json) fill(item, nodes);
    return;
  }
  if (!json.is_string()) return;
  const std::string text = json.get<std::string>();
  if (text == kNodes) {
    json = nodes;
  } else if (text.ends_with(kTimesNodes)) {
    double each = 0;
    std::from_chars(text.data(), text.data() + text.size() - kTimesNodes.size(), each);
    json = jsonNumber(each * static_cast<double>(nodes));
  }
}

Preset presetOf(const PresetFile& file) {
  const Json json = parsed(file);
  return {std::string(file.name), json.at("description").get<std::string>(), json.at("source").get<std::string>(),
          json.at(kNodes).get<int>()};
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> kPresets = [] {
    std::vector<Preset> list;
    for (const PresetFile& file : presetFiles()) list.push_back(presetOf(file));
    return list;
  }();
  return kPresets;
}

std::string presetNames() {
  std::string names;
  for (const PresetFile& file : presetFiles()) names += (names.empty() ? "" : ", ") + std::string(file.name) + ":N";
  return names;
}

Result<System> presetSystem(std::string_view name, std::int64_t nodes) {
  const std::vector<PresetFile>& files = presetFiles();
  const auto file = std::find_if(files.begin(), files.end(), [&](const PresetFile& each) { return each.name == name; });
  if (file == files.end()) {
    return Error{"\"" + std::string(name) + "\" is not a known system; use " + presetNames() +
                 ", or levels as in \"rack:1 server:2 cpu:2 gpu:4\""};
  }
  const std::string title = std::string(name) + ":" + std::to_string(nodes);
  if (nodes < 1 || nodes > kMostDevices) {
    return Error{"\"" + title + "\" has " + std::to_string(nodes) + " instances of its outermost level; use 1 to " +
                 std::to_string(kMostDevices)};
  }
  Json json = parsed(*file).at("system");
  fill(json, nodes);
  json["name"] = title;
  std::optional<Error> problem;
  System system = readSystem(JsonValue(json, problem));
  if (problem) return Error{problem->message};
  return system;
}

}  // namespace p2
