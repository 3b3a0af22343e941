// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/detail/part_json.h"

#include "system/part_states.h"
#include "system/properties.h"
#include "workspace/detail/property_json.h"

namespace p2::inline workspace {
namespace {

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

namespace {

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

}  // namespace

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

Json acceleratorJson(const Accelerator& accelerator) {
  if (accelerator == Accelerator{}) return {};
  Json json = Json::object();
  writeProperties(json, acceleratorProperties(), accelerator);
  return json;
}

}  // namespace p2::inline workspace
