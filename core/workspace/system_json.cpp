// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include "cost/calibration/system_tuning.h"
#include "cost/nccl/nccl_constants.h"
#include "system/part_states.h"
#include "system/properties.h"
#include "system/system.h"
#include "text/json_value.h"
#include "workspace/detail/property_json.h"
#include "workspace/document_json.h"

namespace p2::inline workspace {
namespace {

/// The bound of numbers that have none.
constexpr double kMostDouble = std::numeric_limits<double>::max();

/// null when it says no more than its absence.
template <class T>
[[nodiscard]] Json unless(const T& absent, const T& value) {
  return value == absent ? Json() : Json(value);
}

constexpr std::string_view kNeedLevel = "a level needs a name, a count and an interconnect";
constexpr std::string_view kNeedNetwork = "a network needs a name, an interconnect and members";
constexpr std::string_view kNeedMember = "a member names a level or a network, as in {\"of\": \"gpu\"}";

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

/// One of the choices, or the first of them, with the problem recorded.
std::string readChoice(const JsonValue& in, const PropertyInfo& info) {
  std::string text = in.text("use " + alternatives(info.choices));
  if (in.failed()) return std::string(info.choices[0]);
  const auto choice = propertyFromText(info, text);
  if (choice.ok()) return std::get<std::string>(*choice);
  in.fail(choice.error().message);
  return std::string(info.choices[0]);
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

/// An innermost level has another interconnect by default.
Level readLevel(const JsonValue& in, bool innermost) {
  Level level;
  readProperties(in, levelProperties(), level, {"name", "count"}, kNeedLevel);
  level.interconnect = defaultInterconnect(level.name, innermost);
  if (!in.has("interconnect")) return level;
  const JsonValue link = in.at("interconnect", {});
  level.interconnect = readInterconnect(link, level.interconnect);
  if (!link.has("name")) nameAfterKind(level.interconnect);
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

PartState readState(const JsonValue& in) {
  PartState state;
  readProperties(in, stateProperties(), state, {"part"}, "a state names a part, as in NIC 3 of node 5");
  return state;
}

Json stateJson(const PartState& state) {
  Json json = Json::object();
  writeProperties(json, stateProperties(), state);
  return json;
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

/// null where nothing is known of it.
Json libraryJson(const Library& library) {
  if (library == Library{}) return {};
  Json json = Json::object();
  writeProperties(json, libraryProperties(), library);
  return json;
}

Accelerator readAccelerator(const JsonValue& in) {
  Accelerator accelerator;
  if (!in.json().is_object()) {
    in.refuse("an object", "an accelerator has type, memory, memoryBandwidth, fp32, bf16, fp8, power and price");
  }
  readProperties(in, acceleratorProperties(), accelerator, {}, {});
  return accelerator;
}

/// null where nothing is known of it.
Json acceleratorJson(const Accelerator& accelerator) {
  if (accelerator == Accelerator{}) return {};
  Json json = Json::object();
  writeProperties(json, acceleratorProperties(), accelerator);
  return json;
}

constexpr std::string_view kNeedSystem = "a system needs a name and a list of levels";
constexpr std::string_view kNeedTuned = "\"tuned\" gives constants of the nccl model values above 0";
constexpr std::string_view kNeedRange = "a range has model, steps, nodes, sizes, low, high and measurements";
constexpr std::string_view kNeedDisabled = "\"disabled\" lists names of instances and links, as in NIC 0 of node 2";

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
  if (in.has("most_nodes")) range.mostNodes = in.at("most_nodes", kNeedRange).whole(0, kMostDevices, kNeedRange);
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
                    {"measurements", range.measurements},
                    {"most_nodes", range.mostNodes == 0 ? Json() : Json(range.mostNodes)}});
  }
  return list;
}

Json statesJson(const System& system) {
  if (system.states.empty()) return {};
  Json list = Json::array();
  for (const PartState& state : system.states) list.push_back(stateJson(state));
  return list;
}

}  // namespace

PropertyValue readProperty(const JsonValue& in, const PropertyInfo& info, bool ranged) {
  switch (info.kind) {
    case PropertyKind::Text:
      return in.text(info.need);
    case PropertyKind::Choice:
      return readChoice(in, info);
    case PropertyKind::Flag:
      return in.boolean(info.need);
    case PropertyKind::Count:
    case PropertyKind::Whole:
    case PropertyKind::Colour:
      return in.whole(static_cast<std::int64_t>(info.least), static_cast<std::int64_t>(info.most), info.need);
    case PropertyKind::Bandwidth:
    case PropertyKind::Seconds:
    case PropertyKind::Amount:
    case PropertyKind::Speed:
    case PropertyKind::Number:
      // Parts: a value beyond its range is an error with the name of its level or network, see checkParts().
      return ranged ? in.number(info.least, info.most, info.need) : in.number(0, kMostDouble, info.need);
    case PropertyKind::Members:
      break;
  }
  std::vector<Member> members;
  for (const JsonValue& member : in.items(info.need)) members.push_back(readMember(member));
  return members;
}

Json propertyJson(const PropertyValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return jsonNumber(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  Json members = Json::array();
  for (const Member& member : std::get<std::vector<Member>>(value)) members.push_back(memberJson(member));
  return members;
}

Json systemJson(const System& system) {
  Json levels = Json::array();
  for (const Level& level : system.levels) levels.push_back(levelJson(level));
  Json networks = Json::array();
  for (const Network& network : system.networks) networks.push_back(networkJson(network));
  return {{"name", system.name},
          {"levels", std::move(levels)},
          {"networks", networks.empty() ? Json() : std::move(networks)},
          {"disabled", system.disabled.empty() ? Json() : Json(system.disabled)},
          {"states", statesJson(system)},
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
  if (in.has("states")) {
    for (const JsonValue& state : in.at("states", {}).items("\"states\" is a list of parts with their share")) {
      system.states.push_back(readState(state));
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
  system.name = in.has("name") ? in.at("name", {}).text("a system's name is a string") : shapeOf(system);
  if (in.failed()) return system;
  // A view of an unfinished system has to show all of it.
  if (auto checked = checkRoom(system); !checked.ok()) in.fail(checked.error().text());
  if (auto checked = checkTuning(system); !checked.ok()) in.fail(checked.error().text());
  return system;
}

void demandParts(const JsonValue& in, const System& system) {
  if (in.failed()) return;
  if (auto checked = checkParts(system); !checked.ok()) in.fail(checked.error().text());
}

Result<System> systemFromJson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto json, parseJson(text, std::move(stop)));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  const std::string format = readHeader(in, {kSystemFormat, kWorkspaceFormat, kPlanFormat});
  const JsonValue object = format == kSystemFormat ? in : in.at("system", kNeedSystem);
  System system = readSystem(object);
  demandParts(object, system);
  if (problem) return *problem;
  return system;
}

std::string systemToJson(const System& system) { return fileText(kSystemFormat, systemJson(system), {}); }

}  // namespace p2::inline workspace
