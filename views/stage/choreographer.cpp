// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/choreographer.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "collective/collective_traits.h"
#include "views/stage/group_motion.h"
#include "views/stage/stage_groups.h"
#include "views/stage/stage_routes.h"

namespace p2::views {
namespace {

/// Share of its slot that a flight takes; then its landing can be read.
constexpr double kFlying = 0.8;
/// Shares of the time for sending: the most for all leaders together, and for each of them.
constexpr double kLeadShare = 0.6;
constexpr double kLeadEach = 0.16;

struct Span {
  double from = 0;
  double to = 1;

  [[nodiscard]] Span part(std::size_t at, std::size_t count) const {
    const double each = (to - from) / double(std::max<std::size_t>(count, 1));
    return {from + each * double(at), from + each * double(at + 1)};
  }
};
constexpr Span kFailing{0.16, 0.6};

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
    const StepManner manner = mannerOf(m_replay, m_step);
    for (const DeviceGroup& group : m_groups.groups()) {
      if (group.size() > 1) m_made.groups.push_back(group);
    }
    if (m_made.groups.empty()) return;
    const DeviceGroup& first = m_made.groups.front();
    std::size_t devices = 0;
    for (const DeviceGroup& group : m_made.groups) devices += group.size();
    const auto eachRound = devices * std::size_t(passesOf(manner, first));
    const int mostRounds = int(std::max<std::size_t>(1, kMostFlights / eachRound));
    const bool bundled = manner.of(first) == Manner::Pairs && manner.shape() != FlowShape::Spread &&
                         eachRound * (first.size() - 1) > kMostFlights;
    m_made.manner = mannerText(manner, first, mostRounds) + (bundled ? " (simplified)" : "");
    m_made.simplified = m_made.manner.find("simplified") != std::string::npos;
    std::vector<Message> all;
    for (std::size_t i = 0; i < m_made.groups.size(); ++i) {
      const DeviceGroup& group = m_made.groups[i];
      if (manner.of(group) == Manner::Switch) {
        m_made.sums.push_back(m_routes.middleOf(group.front(), group.back()));
      }
      std::vector<Message> messages =
          bundled ? bundles(group, manner) : messagesOf(m_replay, m_step, manner, group, mostRounds, i == 0);
      for (Message& message : messages) {
        message.flight.group = i;
        all.push_back(std::move(message));
      }
    }
    schedule(std::move(all));
  }

  /// One bundle out of and into every member instead of a tile for every pair.
  [[nodiscard]] std::vector<Message> bundles(const DeviceGroup& group, const StepManner& manner) const {
    std::vector<Message> all;
    const CollectiveTraits& traits = traitsOf(manner.collective());
    const double working =
        traits.keepsApart
            ? double(m_replay.trace.chunks())
            : double(m_replay.trace.holdingOf(group[0], int(m_step.value()) + (traits.worksOnResult() ? 1 : 0)).chunks);
    const double share = double(group.size() - 1) / double(group.size());
    for (int pass = 0; pass < 2 * passesOf(manner, group); ++pass) {
      for (const Device member : group) {
        Message& message = all.emplace_back();
        message.pass = pass;
        message.flight.of = member;
        message.flight.chunks = working * share;
        message.flight.tiles = std::int64_t(group.size()) - 1;
        message.flight.summed = pass > 1;
        if (pass % 2 == 0) {
          message.flight.ends = Flight::End::Meets;
        } else {
          message.flight.to = member;
        }
      }
    }
    return all;
  }

  /// Gives every message its time and its way: leaders one by one, then pass by pass the rounds of all groups together.
  void schedule(std::vector<Message> messages) {
    std::stable_sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
      return std::tuple(!a.flight.leads, a.pass, a.round) < std::tuple(!b.flight.leads, b.pass, b.round);
    });
    const auto leaders = std::size_t(
        std::count_if(messages.begin(), messages.end(), [](const Message& message) { return message.flight.leads; }));
    const Span whole{m_made.announced, m_made.mergeFrom};
    const double lead = std::min(kLeadShare, kLeadEach * double(leaders)) * (whole.to - whole.from);
    const Span ahead{whole.from, whole.from + lead};
    m_made.leadTo = ahead.to;
    std::map<int, int> rounds;  // by pass
    for (const Message& message : messages) {
      if (!message.flight.leads) rounds[message.pass] = std::max(rounds[message.pass], message.round + 1);
    }
    const Span rest{ahead.to, whole.to};
    for (std::size_t i = 0; i < messages.size(); ++i) {
      Message& message = messages[i];
      if (message.flight.leads) {
        addIn(ahead.part(i, leaders), std::move(message.flight));
        continue;
      }
      const auto pass = std::size_t(std::distance(rounds.begin(), rounds.find(message.pass)));
      const Span slot =
          rest.part(pass, rounds.size()).part(std::size_t(message.round), std::size_t(rounds[message.pass]));
      addIn(slot, std::move(message.flight));
    }
    if (!m_made.sums.empty()) sumUp(rest.part(0, rounds.size()));
  }

  /// Where switches add up, parts stand until the sum has formed.
  void sumUp(Span parts) {
    m_made.sumFrom = std::min(parts.to, m_made.leadTo);
    m_made.sumTo = parts.to + 0.04;
    for (const Flight& flight : m_made.flights) {
      if (flight.ends == Flight::End::Meets) m_made.sumFrom = std::min(m_made.sumFrom, flight.end);
    }
  }

  void addIn(Span slot, Flight flight) {
    flight.start = slot.from;
    flight.end = slot.from + kFlying * (slot.to - slot.from);
    const DeviceGroup& group = m_made.groups[flight.group];
    std::vector<Place> path;
    if (flight.ends == Flight::End::Meets) {
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
    m_made.failsAt = kFailing.to;
    m_made.announced = kFailing.from;
    m_made.leadTo = kFailing.from;
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
    Flight tile = fallen(failure.members[0], rows, kFailing.from + 0.05);
    tile.to = failure.members[1];
    tile.ends = failure.premise == Premise::RowsEqual ? Flight::End::FindsNoRow : Flight::End::Collides;
    add(std::move(tile), m_routes.between(failure.members[0], failure.members[1]));
  }

  /// All parts fly to where the group's ways cross; two of them may collide there.
  void meet(const PremiseFailure& failure, const ChunkSet& rows, bool pair) {
    const Place middle = middleOf(failure.group);
    for (const Device member : failure.group) {
      Flight part = fallen(member, m_replay.trace.chunksOf(member, int(m_step.value())), kFailing.from);
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
    made.end = kFailing.to;
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
