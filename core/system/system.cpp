// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/system.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/numbers.h"

namespace p2 {
namespace {

bool isWord(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c >= 0x80;
  });
}

Result<void> checkLevel(const Level& level, const std::string& where) {
  if (!isWord(level.name)) {
    return Error{"\"" + level.name + "\" is not a level name; use 1 to 64 letters, digits, '-', '_' or '.'", where};
  }
  if (level.name == kRootName) {
    return Error{"\"root\" names the whole system; give this level another name, as in rack", where};
  }
  if (level.count < 1) {
    return Error{"level " + level.name + " has " + std::to_string(level.count) + " instances; it needs 1 or more",
                 where};
  }
  const Interconnect& link = level.interconnect;
  if (!std::isfinite(link.bandwidth) || link.bandwidth <= 0) {
    return Error{"the interconnect of level " + level.name + " has bandwidth " + exactNumber(link.bandwidth) +
                     "; it needs a positive number of bytes per second", where};
  }
  if (!std::isfinite(link.latency) || link.latency < 0) {
    return Error{"the interconnect of level " + level.name + " has latency " + exactNumber(link.latency) +
                     "; it needs a number of seconds that is not negative", where};
  }
  return {};
}

}  // namespace

std::string_view nameOf(InterconnectKind kind) { return kind == InterconnectKind::Ring ? "ring" : "switch"; }

Result<InterconnectKind> interconnectKindFrom(std::string_view name) {
  for (const InterconnectKind kind : {InterconnectKind::Switch, InterconnectKind::Ring}) {
    if (name == nameOf(kind)) return kind;
  }
  return Error{"\"" + std::string(name) + "\" is not a kind of interconnect; use switch or ring"};
}

std::vector<std::int64_t> System::counts() const {
  std::vector<std::int64_t> result;
  for (const Level& level : levels) result.push_back(level.count);
  return result;
}

std::int64_t System::deviceCount() const {
  std::int64_t product = 1;
  for (const Level& level : levels) product *= level.count;
  return product;
}

Interconnect defaultInterconnect(std::string_view levelName, bool innermost) {
  if (innermost) return {InterconnectKind::Switch, 270e9, 0, "NVSwitch"};
  for (const std::string_view socket : {"cpu", "CPU", "socket", "numa", "package", "pcie"}) {
    if (levelName == socket) return {InterconnectKind::Switch, 32e9, 0, "PCIe"};
  }
  return {InterconnectKind::Switch, 8e9, 0, "network"};
}

Result<System> validated(System system) {
  if (system.levels.empty()) {
    return Error{"the system has no levels; name at least one, as in gpu:8"};
  }
  if (system.levels.size() > kMostLevels) {
    return Error{"the system has " + std::to_string(system.levels.size()) + " levels; at most " +
                 std::to_string(kMostLevels) + " can be worked with"};
  }
  std::set<std::string_view> names;
  std::int64_t devices = 1;
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    const Level& level = system.levels[i];
    const std::string where = "level " + std::to_string(i + 1);
    if (auto checked = checkLevel(level, where); !checked.ok()) return checked.error();
    if (!names.insert(level.name).second) {
      return Error{"the name \"" + level.name + "\" is used twice; give every level its own", where};
    }
    const auto product = checkedProduct(devices, level.count);
    if (!product || *product > kMostDevices) {
      return Error{"the system has more than " + std::to_string(kMostDevices) +
                   " devices; lower the counts, level " + level.name + " has " + std::to_string(level.count)};
    }
    devices = *product;
  }
  return system;
}

std::string shapeOf(const System& system) {
  std::string text;
  for (const Level& level : system.levels) {
    if (!text.empty()) text += ' ';
    text += level.name + ":" + std::to_string(level.count);
  }
  return text;
}

std::string describe(const System& system) {
  std::string text;
  for (const Level& level : system.levels) {
    if (!text.empty()) text += " × ";
    std::string noun = level.name;
    if (noun == "gpu" || noun == "cpu") std::transform(noun.begin(), noun.end(), noun.begin(), ::toupper);
    text += std::to_string(level.count) + " " + noun + (level.count == 1 ? "" : "s");
  }
  return text;
}

}  // namespace p2
