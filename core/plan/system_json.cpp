// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <limits>

#include "plan/document_json.h"
#include "system/presets.h"

namespace p2 {
namespace {

constexpr double kMostNumber = std::numeric_limits<double>::max();
constexpr std::string_view kNeedSystem = "a system needs a name and a list of levels";
constexpr std::string_view kNeedLevel = "a level needs a name, a count and an interconnect";

Interconnect readInterconnect(const JsonReader& in, Interconnect link) {
  if (in.has("kind")) link.kind = in.at("kind", {}).word(interconnectKindFrom, "use switch or ring");
  if (in.has("bandwidth")) {
    link.bandwidth = in.at("bandwidth", {}).number(0, kMostNumber, "a bandwidth is a positive number of bytes/s");
  }
  if (in.has("latency")) {
    link.latency = in.at("latency", {}).number(0, kMostNumber, "a latency is a number of seconds, 0 or more");
  }
  if (in.has("name")) link.name = in.at("name", {}).text("an interconnect's name is a text");
  if (!in.json().is_object()) in.refuse("an object", "an interconnect has kind, bandwidth, latency and name");
  return link;
}

Level readLevel(const JsonReader& in, bool innermost) {
  Level level;
  level.name = in.at("name", kNeedLevel).text("a level's name is a text, as in gpu");
  level.count = in.at("count", kNeedLevel).whole(1, kMostDevices, "a level needs a count of 1 to 16777216");
  level.interconnect = defaultInterconnect(level.name, innermost);
  if (in.has("interconnect")) level.interconnect = readInterconnect(in.at("interconnect", {}), level.interconnect);
  return level;
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
    const Interconnect& link = level.interconnect;
    levels.push_back({{"name", level.name},
                      {"count", level.count},
                      {"interconnect",
                       {{"kind", nameOf(link.kind)},
                        {"bandwidth", jsonNumber(link.bandwidth)},
                        {"latency", jsonNumber(link.latency)},
                        {"name", link.name}}}});
  }
  return {{"name", system.name}, {"levels", std::move(levels)}};
}

System readSystem(const JsonReader& in) {
  System system;
  const std::vector<JsonReader> levels = in.at("levels", kNeedSystem).items(kNeedSystem);
  for (std::size_t i = 0; i < levels.size(); ++i) system.levels.push_back(readLevel(levels[i], i + 1 == levels.size()));
  system.name = in.has("name") ? in.at("name", {}).text("a system's name is a text") : shapeOf(system);
  if (in.failed()) return system;
  if (auto checked = validated(system); !checked.ok()) in.fail(checked.error().text());
  return system;
}

Result<System> systemFromJson(std::string_view text) {
  const auto json = parseJson(text);
  if (!json.ok()) return json.error();
  std::optional<Error> problem;
  const JsonReader in(*json, problem);
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
  auto system = systemFromJson(*text);
  if (!system.ok()) return system.error().within(argument);
  return system;
}

}  // namespace p2
