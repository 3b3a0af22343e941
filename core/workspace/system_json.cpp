// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <limits>

#include "cost/nccl_constants.h"
#include "cost/system_tuning.h"
#include "importers/importers.h"
#include "system/properties.h"
#include "system/valid_system.h"
#include "text/text_file.h"
#include "workspace/document_json.h"
#include "workspace/presets.h"

namespace p2 {
namespace {

constexpr double kMostDouble = std::numeric_limits<double>::max();
constexpr std::string_view kNeedSystem = "a system needs a name and a list of levels";
constexpr std::string_view kNeedLevel = "a level needs a name, a count and an interconnect";
constexpr std::string_view kNeedNetwork = "a network needs a name, an interconnect and members";
constexpr std::string_view kNeedMember = "a member names a level or a network, as in {\"of\": \"gpu\"}";
constexpr std::string_view kNeedTuned = "\"tuned\" gives constants of the nccl model values above 0";
constexpr std::string_view kNeedRange = "a range has model, steps, nodes, sizes, low, high and measurements";
constexpr std::string_view kNeedDisabled = "\"disabled\" lists names of instances and links, as in NIC 0 of node 2";

/// null when it says no more than its absence.
template <class T>
Json unless(const T& absent, const T& value) {
  return value == absent ? Json() : Json(value);
}

Member readMember(const JsonValue& in) {
  Member member;
  member.of = in.at("of", kNeedMember).text(kNeedMember);
  if (in.has("first")) member.first = in.at("first", {}).whole(0, kMostDevices, "members count from 0");
  if (in.has("count"))
    member.count = in.at("count", {}).whole(0, kMostDevices, "use a number of members, or 0 for all");
  return member;
}

Json memberJson(const Member& member) {
  const Member plain;
  return {
      {"of", member.of}, {"first", unless(plain.first, member.first)}, {"count", unless(plain.count, member.count)}};
}

/// One of the choices, or the first of them beside a problem written down.
std::string readChoice(const JsonValue& in, const PropertyInfo& info) {
  std::string text = in.text("use " + alternatives(info.choices));
  if (in.failed()) return std::string(info.choices[0]);
  const auto choice = propertyFromText(info, text);
  if (choice.ok()) return text;
  in.fail(choice.error().message);
  return std::string(info.choices[0]);
}

PropertyValue readValue(const JsonValue& in, const PropertyInfo& info) {
  switch (info.kind) {
    case PropertyKind::Text:
      return in.text(info.need);
    case PropertyKind::Choice:
      return readChoice(in, info);
    case PropertyKind::Flag:
      return in.boolean(info.need);
    case PropertyKind::Count:
    case PropertyKind::Colour:
      return in.whole(static_cast<std::int64_t>(info.least), static_cast<std::int64_t>(info.most), info.need);
    case PropertyKind::Bandwidth:
    case PropertyKind::Seconds:
    case PropertyKind::Amount:
    case PropertyKind::Speed:
      // What is beyond its range is told with the name of its level or network, see checkParts().
      return in.number(0, kMostDouble, info.need);
    case PropertyKind::Members:
      break;
  }
  std::vector<Member> members;
  for (const JsonValue& member : in.items(info.need)) members.push_back(readMember(member));
  return members;
}

Json valueJson(const PropertyValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return jsonNumber(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  Json members = Json::array();
  for (const Member& member : std::get<std::vector<Member>>(value)) members.push_back(memberJson(member));
  return members;
}

/// Reads the properties that there are into a part; `required` are looked for in any case, for the sake of `need`.
template <class Part>
void readProperties(const JsonValue& in, std::span<const Property<Part>> properties, Part& part,
                    std::initializer_list<std::string_view> required, std::string_view need) {
  for (const Property<Part>& property : properties) {
    const PropertyInfo& info = property.info;
    const bool wanted = std::find(required.begin(), required.end(), info.key) != required.end();
    if (wanted || in.has(info.key)) property.set(part, readValue(in.at(info.key, need), info));
  }
}

/// Writes the properties of a part, null for those that say no more than their absence.
template <class Part>
void writeProperties(Json& json, std::span<const Property<Part>> properties, const Part& part) {
  const Part plain{};
  for (const Property<Part>& property : properties) {
    const PropertyValue value = property.get(part);
    const bool said = property.info.always || value != property.get(plain);
    json[std::string(property.info.key)] = said ? valueJson(value) : Json();
  }
}

Interconnect readInterconnect(const JsonValue& in, Interconnect link) {
  if (!in.json().is_object()) in.refuse("an object", "an interconnect has kind, bandwidth, latency and name");
  readProperties(in, interconnectProperties(), link, {}, {});
  return link;
}

Json interconnectJson(const Interconnect& link) {
  Json json = Json::object();
  writeProperties(json, interconnectProperties(), link);
  return json;
}

Level readLevel(const JsonValue& in, bool innermost) {
  Level level;
  readProperties(in, levelProperties(), level, {"name", "count"}, kNeedLevel);
  level.interconnect = defaultInterconnect(level.name, innermost);
  if (in.has("interconnect")) level.interconnect = readInterconnect(in.at("interconnect", {}), level.interconnect);
  return level;
}

Json levelJson(const Level& level) {
  Json json = Json::object();
  writeProperties(json, levelProperties(), level);
  json["interconnect"] = interconnectJson(level.interconnect);
  return json;
}

Network readNetwork(const JsonValue& in) {
  Network network;
  if (in.has("interconnect")) network.interconnect = readInterconnect(in.at("interconnect", {}), {});
  readProperties(in, networkProperties(), network, {"name", "members"}, kNeedNetwork);
  return network;
}

Json networkJson(const Network& network) {
  Json json = Json::object();
  writeProperties(json, networkProperties(), network);
  json["interconnect"] = interconnectJson(network.interconnect);
  json["interconnect"]["name"] = nullptr;
  return json;
}

Library readLibrary(const JsonValue& in) {
  Library library;
  if (!in.json().is_object()) in.refuse("an object", "a library has generation, version and launch");
  readProperties(in, libraryProperties(), library, {}, {});
  return library;
}

Json libraryJson(const Library& library) {
  if (library == Library{}) return {};
  Json json = Json::object();
  writeProperties(json, libraryProperties(), library);
  return json;
}

Accelerator readAccelerator(const JsonValue& in) {
  Accelerator accelerator;
  if (!in.json().is_object()) {
    in.refuse("an object", "an accelerator has type, memory, memoryBandwidth, fp32, bf16 and fp8");
  }
  readProperties(in, acceleratorProperties(), accelerator, {}, {});
  return accelerator;
}

Json acceleratorJson(const Accelerator& accelerator) {
  if (accelerator == Accelerator{}) return {};
  Json json = Json::object();
  writeProperties(json, acceleratorProperties(), accelerator);
  return json;
}

std::vector<TunedConstant> readTuned(const JsonValue& in) {
  std::vector<TunedConstant> tuned;
  for (const auto& [key, value] : in.members(kNeedTuned)) {
    tuned.push_back({key, value.number(0, kMostDouble, kNeedTuned)});
  }
  return tuned;
}

/// Every constant there is, null where it is not tuned, so that none outlives its calibration in a file.
Json tunedJson(const System& system) {
  if (system.tuned.empty()) return {};
  Json json = Json::object();
  for (const NcclConstants::Entry& constant : ncclConstantTable()) json[constant.key] = nullptr;
  for (const TunedConstant& tuned : system.tuned) json[tuned.key] = jsonNumber(tuned.value);
  return json;
}

PredictionRange readRange(const JsonValue& in) {
  PredictionRange range;
  range.model = in.at("model", kNeedRange).text(kNeedRange);
  range.steps = in.at("steps", kNeedRange).text(kNeedRange);
  const JsonValue nodes = in.at("nodes", kNeedRange);
  const std::string joined = nodes.text("use one or several");
  if (joined != "one" && joined != "several") nodes.refuse("a number of nodes", "use one or several");
  range.acrossNodes = joined == "several";
  range.sizes = in.at("sizes", kNeedRange).text(kNeedRange);
  range.low = in.at("low", kNeedRange).number(0, 1, "a range's low is above 0 and at most 1");
  range.high = in.at("high", kNeedRange).number(1, kMostDouble, "a range's high is at least 1");
  range.measurements = in.at("measurements", kNeedRange).whole(0, kMostDevices, kNeedRange);
  return range;
}

Json rangesJson(const System& system) {
  if (system.ranges.empty()) return {};
  Json list = Json::array();
  for (const PredictionRange& range : system.ranges) {
    list.push_back({{"model", range.model},
                    {"steps", range.steps},
                    {"nodes", range.acrossNodes ? "several" : "one"},
                    {"sizes", range.sizes},
                    {"low", jsonNumber(range.low)},
                    {"high", jsonNumber(range.high)},
                    {"measurements", range.measurements}});
  }
  return list;
}

Result<System> systemFromText(const std::string& text) {
  if (!isImportable(text)) return systemFromJson(text);
  P2_TRY_ASSIGN(auto imported, importTopology(text));
  return std::move(imported.system);
}

/// Whether there is a '/' besides those of bandwidths, as in 270GB/s.
bool hasFolder(std::string_view argument) {
  for (std::size_t i = argument.find('/'); i != std::string_view::npos; i = argument.find('/', i + 1)) {
    const std::size_t word = argument.rfind(' ', i) + 1;  // 0 where there is no blank
    if (argument.substr(word, i - word).find('@') == std::string_view::npos || argument.substr(i + 1, 1) != "s") {
      return true;
    }
  }
  return false;
}

bool looksLikePath(const std::string& argument) {
  std::error_code ignored;
  return hasFolder(argument) || argument.ends_with(".json") || std::filesystem::exists(argument, ignored);
}

}  // namespace

Json systemJson(const System& system) {
  Json levels = Json::array();
  for (const Level& level : system.levels) levels.push_back(levelJson(level));
  Json networks = Json::array();
  for (const Network& network : system.networks) networks.push_back(networkJson(network));
  return {{"name", system.name},
          {"levels", std::move(levels)},
          {"networks", networks.empty() ? Json() : std::move(networks)},
          {"disabled", system.disabled.empty() ? Json() : Json(system.disabled)},
          {"calibrated", unless(false, system.calibrated)},
          {"node", unless(std::string(), system.node)},
          {"library", libraryJson(system.library)},
          {"accelerator", acceleratorJson(system.accelerator)},
          {"tuned", tunedJson(system)},
          {"ranges", rangesJson(system)}};
}

System readSystem(const JsonValue& in) {
  System system;
  const std::vector<JsonValue> levels = in.at("levels", kNeedSystem).items(kNeedSystem);
  for (std::size_t i = 0; i < levels.size(); ++i) system.levels.push_back(readLevel(levels[i], i + 1 == levels.size()));
  if (in.has("networks")) {
    for (const JsonValue& network : in.at("networks", {}).items("\"networks\" is a list of networks")) {
      system.networks.push_back(readNetwork(network));
    }
  }
  if (in.has("disabled")) {
    for (const JsonValue& name : in.at("disabled", {}).items(kNeedDisabled)) {
      system.disabled.push_back(name.text(kNeedDisabled));
    }
  }
  if (in.has("calibrated")) system.calibrated = in.at("calibrated", {}).boolean("use true or false");
  if (in.has("node")) system.node = in.at("node", {}).text("\"node\" names the level whose instances are nodes");
  if (in.has("library")) system.library = readLibrary(in.at("library", {}));
  if (in.has("accelerator")) system.accelerator = readAccelerator(in.at("accelerator", {}));
  if (in.has("tuned")) system.tuned = readTuned(in.at("tuned", {}));
  if (in.has("ranges")) {
    for (const JsonValue& range : in.at("ranges", {}).items(kNeedRange)) system.ranges.push_back(readRange(range));
  }
  system.name = in.has("name") ? in.at("name", {}).text("a system's name is a text") : shapeOf(system);
  if (in.failed()) return system;
  if (auto checked = checkParts(system); !checked.ok()) in.fail(checked.error().text());
  if (auto checked = checkTuning(system); !checked.ok()) in.fail(checked.error().text());
  return system;
}

Result<System> systemFromJson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto json, parseJson(text, std::move(stop)));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  const std::string format = readHeader(in, {kSystemFormat, kWorkspaceFormat, kPlanFormat});
  System system = readSystem(format == kSystemFormat ? in : in.at("system", kNeedSystem));
  if (problem) return *problem;
  return system;
}

std::string systemToJson(const System& system) { return fileText(kSystemFormat, systemJson(system), {}); }

Result<System> systemFromArgument(const std::string& argument) {
  auto described = parseSystem(argument);
  if (!described.ok() && looksLikePath(argument)) {
    P2_TRY_ASSIGN(const auto text, readTextFile(argument));
    P2_TRY_ASSIGN(const auto system, systemFromText(text).within(argument));
    P2_TRY_ASSIGN(const auto valid, validated(system).within(argument));
    return *valid;
  }
  P2_TRY_ASSIGN(const auto system, std::move(described));
  P2_TRY_ASSIGN(const auto valid, validated(system));
  return *valid;
}

}  // namespace p2
