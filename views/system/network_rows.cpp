// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/network_rows.h"

#include <algorithm>
#include <map>

namespace p2::views {
namespace {

constexpr int kDeepest = 8;             // members may still be cyclic
constexpr std::int64_t kMostBars = 16;  // of one network in one inside
constexpr double kLetter = 7.2;
constexpr double kLeastBar = 44;

/// How far a network is from the levels: 1 when it joins levels alone, else one more than the networks it joins.
int depthOf(const System& system, int network, int limit) {
  int depth = 1;
  if (limit == 0) return depth;
  for (const Member& member : system.networks[std::size_t(network)].members) {
    const SystemPart part = partNamed(system, member.of);
    if (part.kind == SystemPart::Kind::Network) depth = std::max(depth, 1 + depthOf(system, part.index, limit - 1));
  }
  return depth;
}

BarRun runOf(const System& system, int index, const InsideLayout& inside) {
  const Network& network = system.networks[std::size_t(index)];
  BarRun run{index};
  const bool ofTorus = inside.torus && (inside.torus->alongRows == index || inside.torus->alongColumns == index);
  if (ofTorus || std::find(inside.lanes.begin(), inside.lanes.end(), index) != inside.lanes.end()) {
    run.style = BarRun::Style::Caption;
    run.width = letters(ringsCaption(network)) + 2 * kPadding;
    return run;
  }
  const std::int64_t instances = std::max<std::int64_t>(network.instances, 1);
  if (network.assignment == Network::Assignment::InTurn && instances > 1) run.style = BarRun::Style::Rails;
  run.drawn = std::min(instances, kMostBars);
  run.rest = run.drawn < instances;
  run.width = instances == 1 ? letters(networkCaption(network)) + 2 * kPadding
                             : std::max(letters(barText(network, run.drawn - 1)) + kPadding, kLeastBar);
  return run;
}

/// Whether every child of the level has a bar of its own, and as many of them are drawn.
bool standsUnderChildren(const System& system, std::size_t level, const InsideLayout& inside, BarRun& run) {
  if (level >= system.levels.size() || inside.torus || run.style != BarRun::Style::Bars) return false;
  const Network& network = system.networks[std::size_t(run.network)];
  const Level& own = system.levels[level];
  if (network.instances != own.count || own.count < 2 || network.members.size() != 1 || inside.level.open >= 0) {
    return false;
  }
  const Member& member = network.members.front();
  if (member.of != own.name || member.first != 0 || member.count != 0) return false;
  run.first = inside.level.first;
  run.drawn = inside.level.drawn;
  run.rest = run.drawn < own.count;
  return true;
}

}  // namespace

double letters(const QString& text) { return double(text.size()) * kLetter; }

QString barText(const Network& network, std::int64_t instance) {
  const QString name = interconnectName(network.interconnect);
  return network.instances > 1 ? name + ' ' + QString::number(instance) : name;
}

std::vector<int> gatewaysOf(const System& system, std::size_t level) {
  std::vector<int> gateways;
  for (int i = 0; i < int(system.networks.size()); ++i) {
    const Network& network = system.networks[std::size_t(i)];
    const bool inside = levelIndex(system, network.within) == int(level) && level + 1 < system.levels.size();
    if (network.gateway && inside) gateways.push_back(i);
  }
  return gateways;
}

void layRows(const System& system, std::size_t level, InsideLayout& inside) {
  std::map<int, std::vector<int>> byDepth;
  for (int i = 0; i < int(system.networks.size()); ++i) {
    // Nothing stands inside a device; the system itself shows its source.
    const int standsIn = levelIndex(system, system.networks[std::size_t(i)].within);
    if ((standsIn + 1 == int(system.levels.size()) ? -1 : standsIn) != int(level) - 1) continue;
    byDepth[depthOf(system, i, kDeepest)].push_back(i);
  }
  double rails = 0;
  for (const auto& [depth, networks] : byDepth) {
    NetworkRow shared{{}, false, 0, kBar};
    for (const int index : networks) {
      BarRun run = runOf(system, index, inside);
      if (run.style == BarRun::Style::Rails) {
        inside.labels = std::max(inside.labels, run.width + kPadding);
        const std::int64_t all = run.drawn + (run.rest ? 1 : 0);
        rails = std::max(rails, double(all));
        inside.rows.push_back({{run}, false, 0, double(all) * kRailPitch});
      } else if (run.style == BarRun::Style::Bars && standsUnderChildren(system, level, inside, run)) {
        inside.rows.push_back({{run}, true, 0, kBar});
      } else {
        shared.runs.push_back(run);
      }
    }
    if (!shared.runs.empty()) inside.rows.push_back(std::move(shared));
  }
  const bool joined = byDepth.size() > 1;
  if (rails > 0) inside.taps = joined ? (rails + 1) * kTap : kPadding;
}

}  // namespace p2::views
