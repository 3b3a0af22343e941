// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/torus.h"

#include "views/system/system_part.h"

namespace p2::views {
namespace {

/// The part whose instances, within the level's parent, the network joins in rings; none otherwise.
std::optional<SystemPart> ringsOf(const System& system, const Network& network, std::size_t level) {
  if (network.interconnect.kind != InterconnectKind::Ring || network.members.size() != 1) return std::nullopt;
  if (levelIndex(system, network.within) != int(level) - 1) return std::nullopt;
  const Member& member = network.members.front();
  const SystemPart part = partNamed(system, member.of);
  if (part.index < 0 || member.first != 0 || member.count != 0) return std::nullopt;
  return part;
}

}  // namespace

std::optional<Torus> torusOf(const System& system, std::size_t level) {
  const std::int64_t count = system.levels[level].count;
  Torus torus;
  for (int i = 0; i < int(system.networks.size()); ++i) {
    const Network& network = system.networks[std::size_t(i)];
    const auto part = ringsOf(system, network, level);
    if (!part || part->kind != SystemPart::Kind::Level || part->index != int(level) || network.instances < 2) continue;
    const bool inTurn = network.assignment == Network::Assignment::InTurn;
    (inTurn ? torus.alongColumns : torus.alongRows) = i;
    (inTurn ? torus.columns : torus.rows) = network.instances;
  }
  const bool both = torus.alongRows >= 0 && torus.alongColumns >= 0;
  if (!both || torus.rows * torus.columns != count) return std::nullopt;
  return torus;
}

bool joinsNeighbours(const System& system, int network, std::size_t level) {
  const Network& rings = system.networks[std::size_t(network)];
  const auto part = ringsOf(system, rings, level);
  if (!part || rings.assignment != Network::Assignment::InTurn || system.levels[level].count < 2) return false;
  const bool inside = part->kind == SystemPart::Kind::Level
                          ? part->index > int(level)
                          : levelIndex(system, system.networks[std::size_t(part->index)].within) >= int(level);
  return inside && instancesWithin(system, *part, int(level)) == rings.instances;
}

}  // namespace p2::views
