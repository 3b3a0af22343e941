// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/choreographer.h"

#include <algorithm>
#include <map>

#include "views/stage/stage_groups.h"
#include "views/stage/stage_routes.h"

namespace p2::views {
namespace {

constexpr double kFailingFrom = 0.16;
constexpr double kFailingTo = 0.6;

/// How a step that can run sends.
StepManner mannerOf(const Replay& replay, StepId step) {
  const Collective collective = replay.program[step.index()].collective;
  const auto& cost = replay.facts[step.index()].cost;
  const Algorithm algorithm =
      cost ? cost->algorithm : modelOf(replay.cost).candidates(collective, replay.cost.algorithm).front();
  return {*replay.topology, replay.cost, collective, algorithm};
}

/// Makes the choreography of one step.
class Choreographer {
 public:
  Choreographer(const Replay& replay, StepId step, std::stop_token stop)
      : m_replay(replay),
        m_routes(*replay.topology, std::move(stop)),
        m_step(step),
        m_groups(replay, step, std::size_t(std::min(replay.placement.deviceCount(), kMostShownDevices))) {}

  Choreography make() {
    if (m_step.value() >= m_replay.validSteps()) {
      fail();
    } else {
      perform();
    }
    bundleByNodes();
    return std::move(m_made);
  }

 private:
  void perform() {
    StepMotion motion =
        stepMotion(m_replay.trace, m_step, mannerOf(m_replay, m_step), m_groups.groups(), kMostShownMessages);
    m_made.groups = std::move(motion.groups);
    m_made.manner = std::move(motion.manner);
    m_made.simplified = motion.simplified;
    m_made.leadTo = motion.leadTo;
    m_made.sumFrom = motion.sumFrom;
    m_made.sumTo = motion.sumTo;
    for (const DeviceGroup& group : m_made.groups) {
      if (motion.inSwitch) m_made.sums.push_back(m_routes.middleOf(group.front(), group.back()));
    }
    for (StepMessage& message : motion.messages) addFlight(std::move(message));
  }

  void addFlight(StepMessage message) {
    Flight flight{std::move(message)};
    const DeviceGroup& group = m_made.groups[flight.group];
    std::vector<Place> path;
    if (flight.to.isNone()) {
      flight.ends = Flight::End::Meets;
      if (!m_made.sums.empty()) flight.sum = flight.group;
      path = m_routes.leadingTo(middleOf(group), flight.of, partnerOf(group, flight.of));
    } else if (flight.of == flight.to) {
      if (!m_made.sums.empty()) flight.sum = flight.group;
      path = m_routes.leadingFrom(middleOf(group), partnerOf(group, flight.to), flight.to);
    } else {
      path = m_routes.between(flight.of, flight.to);
    }
    add(std::move(flight), std::move(path));
  }

  [[nodiscard]] Place middleOf(const DeviceGroup& group) const {
    return m_routes.middleOf(group.front(), group.back());
  }

  /// A member whose way to this one leads over the middle.
  [[nodiscard]] static Device partnerOf(const DeviceGroup& group, Device member) {
    const auto at = std::find(group.begin(), group.end(), member) - group.begin();
    return 2 * std::size_t(at) < group.size() ? group.back() : group.front();
  }

  void fail() {
    m_made.failsAt = kFailingTo;
    m_made.announced = kFailingFrom;
    m_made.leadTo = kFailingFrom;
    m_made.mergeFrom = 0.8;
    m_made.mergeTo = 0.9;
    m_made.dropTo = 1;
    if (!m_replay.failure || m_replay.failure->group.size() < 2) return;
    const PremiseFailure& failure = *m_replay.failure;
    const auto shown = [](Device device) { return device.value() < kMostShownDevices; };
    if (!std::all_of(failure.group.begin(), failure.group.end(), shown)) return;
    ChunkSet rows;
    for (const int row : failure.rows) rows.push_back({row, row + 1});
    const bool pair = failure.members.size() == 2 && !rows.empty();
    if (!pair || failure.premise == Premise::ColumnsDisjoint) {
      meet(failure, rows, pair);
      return;
    }
    Flight tile = fallen(failure.members[0], rows, kFailingFrom + 0.05);
    tile.to = failure.members[1];
    tile.ends = failure.premise == Premise::RowsEqual ? Flight::End::FindsNoRow : Flight::End::Collides;
    add(std::move(tile), m_routes.between(failure.members[0], failure.members[1]));
  }

  /// All parts fly to where the group's ways cross; two of them may collide there.
  void meet(const PremiseFailure& failure, const ChunkSet& rows, bool pair) {
    const Place middle = middleOf(failure.group);
    for (const Device member : failure.group) {
      Flight part = fallen(member, m_replay.trace.chunksOf(member, int(m_step.value())), kFailingFrom);
      part.ends = Flight::End::Meets;
      if (pair && (member == failure.members[0] || member == failure.members[1])) {
        part.rows = rows;
        part.chunks = double(countOf(rows));
        part.ends = Flight::End::Collides;
      }
      add(std::move(part), m_routes.leadingTo(middle, member, partnerOf(failure.group, member)));
    }
  }

  [[nodiscard]] static Flight fallen(Device of, ChunkSet rows, double start) {
    Flight made;
    made.of = of;
    made.chunks = double(countOf(rows));
    made.rows = std::move(rows);
    made.start = start;
    made.end = kFailingTo;
    return made;
  }

  void add(Flight tile, std::vector<Place> path) {
    tile.path = m_made.paths.size();
    m_made.paths.push_back(std::move(path));
    m_made.flights.push_back(std::move(tile));
  }

  /// The end of a flight as a node of the drawing sees it: another node, or the place outside where tiles meet.
  [[nodiscard]] Place endOf(const Place& place) const {
    return place.kind == Place::Kind::Level ? m_routes.nodeOf(Device(place.instance)) : place;
  }

  void bundleByNodes() {
    struct Bundle {
      std::int64_t tiles = 0;
      double chunks = 0;
      double start = 1;
      double end = 0;
    };
    std::map<std::pair<Place, Place>, Bundle> bundles;
    for (const Flight& tile : m_made.flights) {
      const std::vector<Place>& path = m_made.paths[tile.path];
      const std::pair key(endOf(path.front()), endOf(path.back()));
      if (key.first == key.second) continue;
      Bundle& bundle = bundles[key];
      bundle.tiles += tile.tiles;
      bundle.chunks += tile.chunks;
      bundle.start = std::min(bundle.start, tile.start);
      bundle.end = std::max(bundle.end, tile.end);
    }
    for (const auto& [ends, bundle] : bundles) {
      Flight ribbon;
      ribbon.start = bundle.start;
      ribbon.end = bundle.end;
      ribbon.tiles = bundle.tiles;
      ribbon.chunks = bundle.chunks;
      ribbon.path = m_made.paths.size();
      m_made.paths.push_back({ends.first, ends.second});
      m_made.ribbons.push_back(std::move(ribbon));
    }
  }

  const Replay& m_replay;
  StageRoutes m_routes;
  StepId m_step;
  StageGroups m_groups;
  Choreography m_made;
};

}  // namespace

Choreography choreographed(const Replay& replay, StepId step, std::stop_token stop) {
  return Choreographer(replay, step, std::move(stop)).make();
}

}  // namespace p2::views
