// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_part.h"

#include "views/common/text.h"

namespace p2::views {

bool isPartOf(const System& system, const SystemPart& part) {
  const std::size_t size = part.kind == SystemPart::Kind::Network ? system.networks.size() : system.levels.size();
  return part.index >= 0 && std::size_t(part.index) < size;
}

const Interconnect& interconnectOf(const System& system, const SystemPart& part) {
  const auto index = std::size_t(part.index);
  return part.kind == SystemPart::Kind::Network ? system.networks[index].interconnect
                                                : system.levels[index].interconnect;
}

Interconnect& interconnectOf(System& system, const SystemPart& part) {
  const auto index = std::size_t(part.index);
  return part.kind == SystemPart::Kind::Network ? system.networks[index].interconnect
                                                : system.levels[index].interconnect;
}

QString interconnectName(const Interconnect& link) {
  return qs(link.name.empty() ? std::string(nameOf(link.kind)) : link.name);
}

QString partName(const System& system, const SystemPart& part) {
  if (part.kind == SystemPart::Kind::Level) return qs(system.levels[std::size_t(part.index)].name);
  return interconnectName(interconnectOf(system, part));
}

SystemPart partNamed(const System& system, const std::string& name) {
  for (std::size_t i = 0; i < system.networks.size(); ++i) {
    if (system.networks[i].interconnect.name == name) return {SystemPart::Kind::Network, int(i)};
  }
  return {SystemPart::Kind::Level, levelIndex(system, name)};
}

int levelIndex(const System& system, const std::string& name) {
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    if (system.levels[i].name == name) return int(i);
  }
  return -1;
}

std::int64_t instancesWithin(const System& system, const SystemPart& part, int within) {
  const bool network = part.kind == SystemPart::Kind::Network;
  const int own = network ? levelIndex(system, system.networks[std::size_t(part.index)].within) : part.index;
  std::int64_t product = network ? system.networks[std::size_t(part.index)].instances : 1;
  for (int level = within + 1; level <= own; ++level) product *= system.levels[std::size_t(level)].count;
  return product;
}

}  // namespace p2::views
