// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/choreographer.h"

#include <algorithm>
#include <map>
#include <set>

#include "collective/collective_traits.h"
#include "views/stage/stage_groups.h"
#include "views/stage/stage_routes.h"

namespace p2::views {
namespace {

constexpr std::int64_t kMostTileRuns = 64;
/// Tiles of a group start one after the other within this share of their time.
constexpr double kStagger = 0.4;

struct Span {
  double from = 0;
  double to = 1;
};
constexpr Span kWhole{0.16, 0.6};
constexpr Span kThere{0.16, 0.4};
constexpr Span kBack{0.48, 0.7};

/// Makes the choreography of one step.
class Choreographer {
 public:
  Choreographer(const Replay& replay, StepId step, AllReduceStyle style, std::stop_token stop)
      : m_replay(replay),
        m_routes(*replay.topology, std::move(stop)),
        m_step(int(step.value())),
        m_collective(replay.program[step.index()].collective),
        m_groups(replay, step, std::size_t(std::min(replay.placement.deviceCount(), kMostShownDevices))),
        m_fails(m_step >= replay.validSteps()),
        m_style(style) {}

  Choreography make() {
    if (m_fails) {
      fail();
    } else {
      m_bundles = flightCount() > kMostFlights;
      for (const DeviceGroup& group : m_groups.groups()) {
        if (group.size() > 1) perform(group);
      }
    }
    bundleByNodes();
    return std::move(m_made);
  }

 private:
  [[nodiscard]] ChunkSet rowsOf(Device device, int steps) const {
    return m_replay.trace.mostRunsOf(device, steps) > kMostTileRuns ? ChunkSet{}
                                                                    : m_replay.trace.chunksOf(device, steps);
  }

  [[nodiscard]] bool twoFold(const DeviceGroup& group) const {
    const std::int64_t rows = m_replay.trace.holdingOf(group[0], m_step).chunks;
    return m_style == AllReduceStyle::TwoFold && rows % std::int64_t(group.size()) == 0;
  }

  [[nodiscard]] std::size_t flightCount() const {
    std::size_t count = 0;
    for (const DeviceGroup& group : m_groups.groups()) {
      const bool rooted = traitsOf(m_collective).rooted();
      const bool whole = m_collective == Collective::AllReduce && m_style == AllReduceStyle::Sum;
      count += rooted ? group.size() - 1 : whole ? 2 * group.size() : group.size() * (group.size() - 1);
    }
    return count;
  }

  void perform(const DeviceGroup& group) {
    const CollectiveTraits& traits = traitsOf(m_collective);
    if (traits.makes == Makes::RootCopy) return fromRoot(group);
    if (traits.leaves == Leaves::AtRoot) return toRoot(group);
    if (traits.makes == Makes::Pieces) return gather(group, kWhole, m_step, false);
    if (traits.scatters()) return scatterBlocks(group, kWhole, m_step + 1);
    allReduce(group);
  }

  void toRoot(const DeviceGroup& group) {
    for (std::size_t i = 1; i < group.size(); ++i) {
      fly(group[i], group[0], rowsOf(group[i], m_step), within(kWhole, i - 1, group.size() - 1));
    }
  }

  void fromRoot(const DeviceGroup& group) {
    for (std::size_t i = 1; i < group.size(); ++i) {
      fly(group[0], group[i], rowsOf(group[i], m_step + 1), within(kWhole, i - 1, group.size() - 1));
    }
  }

  void allReduce(const DeviceGroup& group) {
    m_made.mergeFrom = kBack.to;
    m_made.mergeTo = 0.84;
    m_made.dropTo = 0.86;
    if (twoFold(group)) {
      scatterBlocks(group, kThere, m_step);
      gather(group, kBack, m_step, true);
      return;
    }
    meet(group, kThere, Flight::End::Meets);
    m_made.sumFrom = kThere.to;
    m_made.sumTo = kBack.from + 0.08;
    const Place sum = m_made.sums.back();
    for (std::size_t i = 0; i < group.size(); ++i) {
      Flight copy = flight(group[i], rowsOf(group[i], m_step + 1), within(kBack, i, group.size()));
      copy.summed = true;
      copy.to = group[i];
      copy.sum = m_made.sums.size() - 1;
      add(std::move(copy), m_routes.leadingFrom(sum, partnerOf(group, i), group[i]));
    }
  }

  /// All parts fly to where the group's ways cross.
  void meet(const DeviceGroup& group, Span span, Flight::End end) {
    const Place middle = m_routes.middleOf(group.front(), group.back());
    if (!m_fails) m_made.sums.push_back(middle);
    for (std::size_t i = 0; i < group.size(); ++i) {
      Flight part = flight(group[i], rowsOf(group[i], m_step), within(span, i, group.size()));
      part.ends = end;
      if (!m_fails) part.sum = m_made.sums.size() - 1;
      add(std::move(part), m_routes.leadingTo(middle, group[i], partnerOf(group, i)));
    }
  }

  /// A member whose way to this one leads over the middle.
  [[nodiscard]] static Device partnerOf(const DeviceGroup& group, std::size_t member) {
    return 2 * member < group.size() ? group.back() : group.front();
  }

  /// Block i of everybody flies to member i. `after`: when the blocks are what the members hold, if ever.
  void scatterBlocks(const DeviceGroup& group, Span span, int after) {
    std::vector<ChunkSet> blocks;
    if (after == m_step) {
      blocks = scatteredSets(m_replay.trace.chunksOf(group[0], m_step), std::int64_t(group.size()));
    } else {
      for (const Device member : group) blocks.push_back(rowsOf(member, after));
    }
    toEverybody(
        group, span, [&](std::size_t, std::size_t to) { return blocks[to]; }, false);
  }

  /// Everybody's rows fly to everybody; `summed`: those that a ReduceScatter would have left it.
  void gather(const DeviceGroup& group, Span span, int before, bool summed) {
    std::vector<ChunkSet> blocks;
    if (summed) blocks = scatteredSets(m_replay.trace.chunksOf(group[0], before), std::int64_t(group.size()));
    for (std::size_t i = blocks.size(); i < group.size(); ++i) blocks.push_back(rowsOf(group[i], before));
    toEverybody(
        group, span, [&](std::size_t from, std::size_t) { return blocks[from]; }, summed);
  }

  template <class Rows>
  void toEverybody(const DeviceGroup& group, Span span, const Rows& rows, bool summed) {
    const std::size_t n = group.size();
    if (m_bundles) return bundle(group, span, summed);
    for (std::size_t round = 1; round < n; ++round) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t to = (i + round) % n;
        Flight tile = flight(group[i], rows(i, to), within(span, round - 1, n - 1));
        tile.summed = summed;
        tile.to = group[to];
        add(std::move(tile), m_routes.between(group[i], group[to]));
      }
    }
  }

  /// One bundle out of and into every member instead of a tile for every pair.
  void bundle(const DeviceGroup& group, Span span, bool summed) {
    const Place middle = m_routes.middleOf(group.front(), group.back());
    const double half = (span.from + span.to) / 2;
    for (std::size_t i = 0; i < group.size(); ++i) {
      Flight out = flight(group[i], {}, within({span.from, half}, i, group.size()));
      out.tiles = std::int64_t(group.size()) - 1;
      out.ends = Flight::End::Meets;
      out.summed = summed;
      Flight in = out;
      in.start += half - span.from;
      in.end += half - span.from;
      in.to = group[i];
      in.ends = Flight::End::Lands;
      add(std::move(out), m_routes.leadingTo(middle, group[i], partnerOf(group, i)));
      add(std::move(in), m_routes.leadingFrom(middle, partnerOf(group, i), group[i]));
    }
  }

  void fail() {
    m_made.failsAt = kWhole.to;
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
    if (pair && failure.premise == Premise::ColumnsDisjoint) {
      meet(failure.group, kWhole, Flight::End::Meets);
      for (Flight& part : m_made.flights) {
        if (part.of != failure.members[0] && part.of != failure.members[1]) continue;
        part.rows = rows;
        part.ends = Flight::End::Collides;
        part.end = kWhole.to;
      }
      return;
    }
    if (!pair) return meet(failure.group, kWhole, Flight::End::Meets);
    Flight tile = flight(failure.members[0], rows, {kWhole.from + 0.05, kWhole.to});
    tile.to = failure.members[1];
    tile.ends = failure.premise == Premise::RowsEqual ? Flight::End::FindsNoRow : Flight::End::Collides;
    add(std::move(tile), m_routes.between(failure.members[0], failure.members[1]));
  }

  [[nodiscard]] static Flight flight(Device of, ChunkSet rows, Span span) {
    Flight made;
    made.of = of;
    made.rows = std::move(rows);
    made.start = span.from;
    made.end = span.to;
    return made;
  }

  /// The time of one of `count` flights that share a span, the first first.
  [[nodiscard]] static Span within(Span span, std::size_t at, std::size_t count) {
    const double delay = count < 2 ? 0 : kStagger * (span.to - span.from) * double(at) / double(count - 1);
    return {span.from + delay, span.to - kStagger * (span.to - span.from) + delay};
  }

  void fly(Device from, Device to, ChunkSet rows, Span span) {
    Flight tile = flight(from, std::move(rows), span);
    tile.to = to;
    add(std::move(tile), m_routes.between(from, to));
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
      bundle.start = std::min(bundle.start, tile.start);
      bundle.end = std::max(bundle.end, tile.end);
    }
    for (const auto& [ends, bundle] : bundles) {
      Flight ribbon = flight({}, {}, {bundle.start, bundle.end});
      ribbon.tiles = bundle.tiles;
      ribbon.path = m_made.paths.size();
      m_made.paths.push_back({ends.first, ends.second});
      m_made.ribbons.push_back(std::move(ribbon));
    }
  }

  const Replay& m_replay;
  StageRoutes m_routes;
  int m_step;
  Collective m_collective;
  StageGroups m_groups;
  bool m_fails;
  AllReduceStyle m_style;
  bool m_bundles = false;
  Choreography m_made;
};

}  // namespace

Choreography choreographed(const Replay& replay, StepId step, AllReduceStyle style, std::stop_token stop) {
  return Choreographer(replay, step, style, std::move(stop)).make();
}

}  // namespace p2::views
