// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <limits>

#include "importers/importers.h"
#include "text/text_file.h"
#include "workspace/document_json.h"
#include "workspace/presets.h"

namespace p2 {
namespace {

constexpr double kMostNumber = std::numeric_limits<double>::max();
constexpr std::string_view kNeedSystem = "a system needs a name and a list of levels";
constexpr std::string_view kNeedLevel = "a level needs a name, a count and an interconnect";
constexpr std::string_view kNeedNetwork = "a network needs a name, an interconnect and members";
constexpr std::string_view kNeedMember = "a member names a level or a network, as in {\"of\": \"gpu\"}";
constexpr std::string_view kNeedDisabled = "\"disabled\" lists names of instances and links, as in NIC 0 of node 2";
constexpr int kMostColour = 255;

Interconnect readInterconnect(const JsonValue& in, Interconnect link) {
  const auto figure = [&](const char* key, double& value, double least, std::string_view need) {
    if (in.has(key)) value = in.at(key, {}).number(least, kMostNumber, need);
  };
  const auto flag = [&](const char* key, bool& value) {
    if (in.has(key)) value = in.at(key, {}).boolean("use true or false");
  };
  if (!in.json().is_object()) in.refuse("an object", "an interconnect has kind, bandwidth, latency and name");
  if (in.has("kind")) link.kind = in.at("kind", {}).word(interconnectKindFrom, "use switch, ring, mesh, bus or none");
  figure("bandwidth", link.bandwidth, 0, "a bandwidth is a positive number of bytes/s");
  figure("latency", link.latency, 0, "a latency is a number of seconds, 0 or more");
  if (in.has("name")) link.name = in.at("name", {}).text("an interconnect's name is a text");
  figure("core", link.core, 0, "a core is a number of bytes/s, 0 or more");
  flag("halfDuplex", link.halfDuplex);
  flag("forwards", link.forwards);
  if (in.has("colour")) {
    link.colour = static_cast<int>(in.at("colour", {}).whole(-1, kMostColour, "a colour is a category from 0, or -1"));
  }
  figure("fittedBandwidth", link.fittedBandwidth, 0, "a fitted bandwidth is a number of bytes/s, 0 or more");
  figure("fittedLatency", link.fittedLatency, 0, "a fitted latency is a number of seconds, 0 or more");
  return link;
}

/// null when it says no more than its absence.
template <class T>
Json unless(const T& absent, const T& value) {
  return value == absent ? Json() : Json(value);
}

Json numberUnless(double absent, double value) { return value == absent ? Json() : jsonNumber(value); }

Json interconnectJson(const Interconnect& link) {
  const Interconnect plain;
  return {{"kind", nameOf(link.kind)},
          {"bandwidth", jsonNumber(link.bandwidth)},
          {"latency", jsonNumber(link.latency)},
          {"name", link.name},
          {"core", numberUnless(plain.core, link.core)},
          {"halfDuplex", unless(plain.halfDuplex, link.halfDuplex)},
          {"forwards", unless(plain.forwards, link.forwards)},
          {"colour", unless(plain.colour, link.colour)},
          {"fittedBandwidth", numberUnless(plain.fittedBandwidth, link.fittedBandwidth)},
          {"fittedLatency", numberUnless(plain.fittedLatency, link.fittedLatency)}};
}

Level readLevel(const JsonValue& in, bool innermost) {
  Level level;
  level.name = in.at("name", kNeedLevel).text("a level's name is a text, as in gpu");
  level.count = in.at("count", kNeedLevel).whole(1, kMostDevices, "a level needs a count of 1 to 16777216");
  level.interconnect = defaultInterconnect(level.name, innermost);
  if (in.has("interconnect")) level.interconnect = readInterconnect(in.at("interconnect", {}), level.interconnect);
  return level;
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

Network readNetwork(const JsonValue& in) {
  Network network;
  if (in.has("interconnect")) network.interconnect = readInterconnect(in.at("interconnect", {}), {});
  network.interconnect.name = in.at("name", kNeedNetwork).text("a network's name is a text, as in NIC");
  if (in.has("within"))
    network.within = in.at("within", {}).text("\"within\" names a level, or nothing for the system");
  if (in.has("instances")) {
    network.instances = in.at("instances", {}).whole(1, kMostDevices, "a network needs 1 to 16777216 instances");
  }
  if (in.has("deal")) network.deal = in.at("deal", {}).word(dealFrom, "use blocks or in turn");
  for (const JsonValue& member : in.at("members", kNeedNetwork).items(kNeedNetwork)) {
    network.members.push_back(readMember(member));
  }
  if (in.has("gateway")) network.gateway = in.at("gateway", {}).boolean("use true or false");
  return network;
}

Json networkJson(const Network& network) {
  const Network plain;
  Json members = Json::array();
  for (const Member& member : network.members) members.push_back(memberJson(member));
  Json interconnect = interconnectJson(network.interconnect);
  interconnect["name"] = nullptr;
  return {{"name", network.interconnect.name},
          {"within", unless(plain.within, network.within)},
          {"instances", network.instances},
          {"deal", network.deal == plain.deal ? Json() : Json(nameOf(network.deal))},
          {"members", std::move(members)},
          {"gateway", unless(plain.gateway, network.gateway)},
          {"interconnect", std::move(interconnect)}};
}

Result<System> systemFromText(const std::string& text) {
  if (!isImportable(text)) return systemFromJson(text);
  const auto imported = importTopology(text);
  if (!imported.ok()) return imported.error();
  return imported->system;
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
  for (const Level& level : system.levels) {
    levels.push_back(
        {{"name", level.name}, {"count", level.count}, {"interconnect", interconnectJson(level.interconnect)}});
  }
  Json networks = Json::array();
  for (const Network& network : system.networks) networks.push_back(networkJson(network));
  return {{"name", system.name},
          {"levels", std::move(levels)},
          {"networks", networks.empty() ? Json() : std::move(networks)},
          {"disabled", system.disabled.empty() ? Json() : Json(system.disabled)},
          {"calibrated", unless(false, system.calibrated)}};
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
  system.name = in.has("name") ? in.at("name", {}).text("a system's name is a text") : shapeOf(system);
  if (in.failed()) return system;
  if (auto checked = validated(system); !checked.ok()) in.fail(checked.error().text());
  return system;
}

Result<System> systemFromJson(std::string_view text, std::stop_token stop) {
  const auto json = parseJson(text, std::move(stop));
  if (!json.ok()) return json.error();
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  const std::string format = readHeader(in, {kSystemFormat, kWorkspaceFormat, kPlanFormat});
  System system = readSystem(format == kSystemFormat ? in : in.at("system", kNeedSystem));
  if (problem) return *problem;
  return system;
}

std::string systemToJson(const System& system) { return fileText(kSystemFormat, systemJson(system), {}); }

Result<System> systemFromArgument(const std::string& argument) {
  auto described = parseSystem(argument);
  if (described.ok() || !looksLikePath(argument)) return described;
  const auto text = readTextFile(argument);
  if (!text.ok()) return text.error();
  auto system = systemFromText(*text);
  if (!system.ok()) return system.error().within(argument);
  return system;
}

}  // namespace p2
