// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cassert>
#include <charconv>

#include "base/counted.h"
#include "base/lists.h"
#include "workspace/detail/preset_files.h"
#include "workspace/document_json.h"
#include "workspace/machine_parts.h"
#include "workspace/presets.h"

namespace p2::inline workspace {
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

/// A machine with its number of nodes multiplied.
Result<System> machineSystem(const Json& machine, std::int64_t times) {
  MachineParts parts;
  parts.gpu = machine.at("gpu").get<std::string>();
  parts.nvlink = machine.at("nvlink").get<std::string>();
  parts.gpusPerNode = machine.at("gpusPerNode").get<std::int64_t>();
  parts.nodes = machine.value(std::string(kNodes), std::int64_t{1}) * times;
  parts.nodesPerRack = machine.value("nodesPerRack", std::int64_t{0});
  parts.oversubscription = machine.value("oversubscription", 1.0);
  parts.nics = machine.at("nics").get<std::int64_t>();
  parts.nicBandwidth = machine.at("nicGbit").get<double>() * 1e9 / 8;
  parts.fabric = machine.at("fabric").get<std::string>();
  parts.library.version = machine.at("version").get<std::string>();
  return systemOf(parts);
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
  return joined(presetFiles(), ", ", [](const PresetFile& file) { return std::string(file.name) + ":N"; });
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
    return Error{"\"" + title + "\" has " + countedText(nodes, "instance") + " of its outermost level; use 1 to " +
                 std::to_string(kMostDevices)};
  }
  const Json preset = parsed(*file);
  if (preset.contains("machine")) {
    P2_TRY_ASSIGN(System system, machineSystem(preset.at("machine"), nodes));
    system.name = title;
    return system;
  }
  Json json = preset.at("system");
  fill(json, nodes);
  json["name"] = title;
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  System system = readSystem(in);
  demandParts(in, system);
  if (problem) return Error{problem->message};
  return system;
}

}  // namespace p2::inline workspace
