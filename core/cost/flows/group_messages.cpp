// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/detail/group_messages.h"

#include <algorithm>
#include <map>

#include "collective/collective_traits.h"

namespace p2::inline cost {
namespace {

constexpr std::int64_t kMostTileRuns = 64;

/// Makes the messages of one group.
class GroupMessages {
 public:
  GroupMessages(const ProgramTrace& trace, StepId step, const StepManner& manner, const DeviceGroup& group,
                int mostRounds, bool leads)
      : m_trace(trace),
        m_manner(manner),
        m_traits(traitsOf(manner.collective())),
        m_group(group),
        m_step(int(step.value())),
        m_n(group.size()),
        m_mostRounds(mostRounds),
        m_leads(leads),
        m_working(m_traits.keepsApart ? double(trace.chunks())
                                      : heldAt(group[0], m_traits.worksOnResult() ? m_step + 1 : m_step)) {}

  std::vector<UntimedMessage> make() {
    switch (m_manner.of(m_group)) {
      case Manner::Ring:
        ring();
        break;
      case Manner::Chain:
        chain();
        break;
      case Manner::Tree:
        return treeMessages(m_manner, m_group, rowsOf(m_group[0], m_step), m_working, m_leads);
      case Manner::Pairs:
        pairs();
        break;
      case Manner::Switch:
        throughSwitch();
        break;
      case Manner::Links:
        links();
        break;
    }
    return std::move(m_made);
  }

  /// Out of every member and into it one bundle, by way of the middle; in the first pass the messages to the first
  /// member are single where they lead.
  std::vector<UntimedMessage> bundled() {
    const bool gathers = m_traits.makes == Makes::Pieces;
    const double each = m_working / static_cast<double>(m_n);
    const std::size_t single = m_leads ? 1 : 0;
    if (m_leads) {
      const std::vector<ChunkSet> own = blocks();
      for (std::size_t round = 1; round < m_n; ++round) onePair(own, each, 0, gathers, m_n - round, round);
    }
    for (int pass = 0; pass < 2 * passesOf(m_manner, m_group); ++pass) {
      const bool in = pass % 2 == 1;
      for (std::size_t i = 0; i < m_n; ++i) {
        std::size_t tiles = m_n - 1;
        if (pass < 2) tiles = in ? (i < single ? 0 : tiles) : tiles - (i < single ? 0 : single);
        if (tiles == 0) continue;
        StepMessage& message = send(i, i, each * static_cast<double>(tiles), pass, 0);
        message.tiles = static_cast<std::int64_t>(tiles);
        message.summed = pass > 1;
        if (!in) message.to = {};
      }
    }
    return std::move(m_made);
  }

 private:
  [[nodiscard]] double heldAt(Device device, int steps) const {
    return double(m_trace.holdingOf(device, steps).chunks);
  }

  [[nodiscard]] ChunkSet rowsOf(Device device, int steps) const {
    return m_trace.mostRunsOf(device, steps) > kMostTileRuns ? ChunkSet{} : m_trace.chunksOf(device, steps);
  }

  /// The block of every member: a part of what all hold, or what each alone holds.
  [[nodiscard]] std::vector<ChunkSet> blocks() const {
    std::vector<ChunkSet> blocks;
    if (m_traits.makes == Makes::Pieces) {
      for (const Device member : m_group) blocks.push_back(rowsOf(member, m_step));
      return blocks;
    }
    const ChunkSet all = rowsOf(m_group[0], m_step);
    if (!all.empty() && countOf(all) % std::int64_t(m_n) == 0) return scatteredSets(all, std::int64_t(m_n));
    return {};
  }

  StepMessage& send(std::size_t from, std::size_t to, double chunks, int pass, int round) {
    UntimedMessage& message = m_made.emplace_back();
    message.pass = pass;
    message.round = round;
    message.message.of = m_group[from];
    message.message.to = m_group[to];
    message.message.chunks = chunks;
    return message.message;
  }

  static void carry(StepMessage& message, Cargo cargo, Cargo landed) {
    message.rows = merged([&] {
      ChunkSet rows = std::move(message.rows);
      rows.insert(rows.end(), cargo.rows.begin(), cargo.rows.end());
      return rows;
    }());
    message.cargo.push_back(std::move(cargo));
    message.landed.push_back(std::move(landed));
  }

  void ring() {
    if (m_traits.makes == Makes::Pieces) return spread(0, 1, m_leads);
    reduceRound();
    if (m_traits.leaves == Leaves::Everywhere) spread(1, m_n, false);
  }

  /// Block b starts at member b + 1 and grows from member to member until it is at b.
  void reduceRound() {
    const std::vector<ChunkSet> own = blocks();
    const auto blockIn = [this](std::size_t i, int round) {
      return (i + 2 * m_n - static_cast<std::size_t>(round) - 1) % m_n;
    };
    sendRounds(0, m_leads, blockIn, [&](StepMessage& message, std::size_t i, int round) {
      message.adds = true;
      if (own.empty()) {
        if (message.rows.empty()) message.rows = rowsOf(m_group[0], m_step);
        return;
      }
      const std::size_t block = blockIn(i, round);
      const std::size_t first = (block + 1) % m_n;
      const auto summed = static_cast<std::size_t>(round) + 1;
      carry(message, {own[block], first, summed}, {own[block], first, summed + 1});
    });
  }

  /// The block that member b holds, the data of `summed` members, goes to all others.
  void spread(int pass, std::size_t summed, bool leads) {
    const std::vector<ChunkSet> own = blocks();
    const auto blockIn = [this](std::size_t i, int round) { return (i + m_n - static_cast<std::size_t>(round)) % m_n; };
    sendRounds(pass, leads, blockIn, [&](StepMessage& message, std::size_t i, int round) {
      const std::size_t block = blockIn(i, round);
      if (!own.empty() && !own[block].empty()) {
        const Cargo cargo{own[block], summed == 1 ? block : 0, summed};
        carry(message, cargo, cargo);
      }
      if (!message.rows.empty()) return;
      message.rows = rowsOf(m_group[i], m_step + 1);
      message.summed = true;
    });
  }

  /// A pass of the ring: every round a message of each member to the next, or where there are more than m_mostRounds,
  /// a message for several. The messages of the first block stay single where they lead. `blockIn` names the block that
  /// a member sends in a round, `load` adds it to the message.
  template <class BlockIn, class Load>
  void sendRounds(int pass, bool leads, const BlockIn& blockIn, const Load& load) {
    const int rounds = static_cast<int>(m_n) - 1;
    const int drawn = std::min(rounds, m_mostRounds);
    const double chunks = m_working / static_cast<double>(m_n);
    for (int q = 0; q < drawn; ++q) {
      for (std::size_t i = 0; i < m_n; ++i) {
        std::vector<int> together;
        for (int round = q * rounds / drawn; round < (q + 1) * rounds / drawn; ++round) {
          if (!leads || blockIn(i, round) != 0) {
            together.push_back(round);
            continue;
          }
          StepMessage& single = send(i, (i + 1) % m_n, chunks, pass, q);
          single.leads = true;
          load(single, i, round);
        }
        if (together.empty()) continue;
        StepMessage& message = send(i, (i + 1) % m_n, chunks * static_cast<double>(together.size()), pass, q);
        message.tiles = static_cast<std::int64_t>(together.size());
        for (const int round : together) load(message, i, round);
      }
    }
  }

  /// Along the ring to the root, which adds up on the way, or from it.
  void chain() {
    const bool toRoot = m_traits.leaves == Leaves::AtRoot;
    const ChunkSet rows = rowsOf(m_group[0], toRoot ? m_step : m_step + 1);
    const bool halves = isChain(m_manner.shape()) && m_n > 2;
    if (!halves) return oneChain(rows, m_working, toRoot, false, true);
    const auto [front, back] = halvesOf(rows);
    oneChain(front, m_working / 2, toRoot, false, true);
    oneChain(back, m_working / 2, toRoot, true, false);
  }

  void oneChain(const ChunkSet& rows, double chunks, bool toRoot, bool ascends, bool first) {
    const std::size_t hops = m_n - 1;
    for (std::size_t hop = 0; hop < hops; ++hop) {
      // To the root downwards from the last member, or upwards from the one after the root.
      const std::size_t step = toRoot ? hop : hops - 1 - hop;
      const std::size_t far = ascends ? (step + 1) % m_n : m_n - 1 - step;
      const std::size_t near = ascends ? (step + 2) % m_n : m_n - 2 - step;
      StepMessage& message = toRoot ? send(far, near, chunks, 0, int(hop)) : send(near, far, chunks, 0, int(hop));
      message.adds = toRoot;
      message.leads = m_leads && first;
      const std::size_t from = ascends ? 1 : far;
      const Cargo cargo = toRoot ? Cargo{rows, from, step + 1} : Cargo{rows, 0, 1};
      const Cargo landed = toRoot ? Cargo{rows, ascends ? 1 : near, step + 2} : cargo;
      if (!rows.empty()) carry(message, cargo, landed);
    }
  }

  void pairs() {
    if (withoutRails(m_manner.shape()) == FlowShape::Spread) return fromRoot();
    const std::vector<ChunkSet> own = blocks();
    const bool gathers = m_traits.makes == Makes::Pieces;
    const double each = m_working / static_cast<double>(m_n);
    if (!gathers) everyPair(own, each, 0, false);
    if (gathers || (m_traits.leaves == Leaves::Everywhere)) everyPair(own, each, gathers ? 0 : 1, true);
  }

  void everyPair(const std::vector<ChunkSet>& own, double chunks, int pass, bool copies) {
    for (std::size_t round = 1; round < m_n; ++round) {
      for (std::size_t i = 0; i < m_n; ++i) onePair(own, chunks, pass, copies, i, round);
    }
  }

  void onePair(const std::vector<ChunkSet>& own, double chunks, int pass, bool copies, std::size_t i,
               std::size_t round) {
    const std::size_t to = (i + round) % m_n;
    StepMessage& message = send(i, to, chunks, pass, static_cast<int>(round) - 1);
    message.adds = !copies && !m_traits.keepsApart;
    message.leads = m_leads && pass == 0 && to == 0;
    const std::size_t block = copies ? i : to;
    if (own.empty() || own[block].empty()) return;
    const std::size_t summed = copies && m_traits.makes != Makes::Pieces ? m_n : 1;
    const Cargo cargo{own[block], summed == 1 ? i : 0, summed};
    carry(message, cargo, copies ? cargo : Cargo{own[block], i, round + 1});
  }

  void fromRoot() {
    for (std::size_t i = 1; i < m_n; ++i) {
      StepMessage& message = send(0, i, m_working / double(m_n), 0, 0);
      message.leads = m_leads && i == 1;
      const Cargo cargo{rowsOf(m_group[i], m_step + 1), 0, 1};
      if (!cargo.rows.empty()) carry(message, cargo, cargo);
    }
  }

  /// Parts meet in the switch, copies of their sum return.
  void throughSwitch() {
    const double each = m_working * m_manner.switchShare(std::int64_t(m_n));
    for (std::size_t i = 0; i < m_n; ++i) {
      StepMessage& part = send(i, i, each, 0, 0);
      part.to = {};
      part.rows = rowsOf(m_group[i], m_step);
      part.adds = true;
      part.leads = m_leads;
      if (!part.rows.empty()) part.cargo.push_back({part.rows, i, 1});
    }
    for (std::size_t i = 0; i < m_n; ++i) {
      StepMessage& copy = send(i, i, each, 1, 0);
      copy.rows = rowsOf(m_group[i], m_step + 1);
      copy.summed = true;
      if (!copy.rows.empty()) carry(copy, {copy.rows, 0, m_n}, {copy.rows, 0, m_n});
    }
  }

  /// Every flow of the price as one tile, an AllReduce's half on the way to the sum and half on the way back.
  void links() {
    const int passes = passesOf(m_manner, m_group);
    const double whole = m_working * m_manner.factor(std::int64_t(m_n)) / passes;
    std::map<Device, std::size_t> places;
    for (std::size_t i = 0; i < m_n; ++i) places[m_group[i]] = i;
    const bool reduces = m_traits.makes == Makes::Sum;
    for (int pass = 0; pass < passes; ++pass) {
      for (const Flow& flow : m_manner.flows(m_group)) {
        StepMessage& message = send(places[flow.from], places[flow.to], whole * flow.weight, pass, 0);
        message.summed = !reduces || pass > 0;
        message.rows = rowsOf(flow.from, message.summed ? m_step + 1 : m_step);
        message.adds = reduces && pass == 0;
        message.leads = m_leads && pass == 0 && flow.to == m_group[0];
      }
    }
  }

  const ProgramTrace& m_trace;
  const StepManner& m_manner;
  const CollectiveTraits& m_traits;
  const DeviceGroup& m_group;
  int m_step;
  std::size_t m_n;
  int m_mostRounds;
  bool m_leads;
  double m_working;  // chunks of the vector that the price works on
  std::vector<UntimedMessage> m_made;
};

}  // namespace

std::vector<UntimedMessage> groupMessages(const ProgramTrace& trace, StepId step, const StepManner& manner,
                                          const DeviceGroup& group, int mostRounds, bool leads) {
  return GroupMessages(trace, step, manner, group, mostRounds, leads).make();
}

std::vector<UntimedMessage> bundledMessages(const ProgramTrace& trace, StepId step, const StepManner& manner,
                                            const DeviceGroup& group, bool leads) {
  return GroupMessages(trace, step, manner, group, 1, leads).bundled();
}

}  // namespace p2::inline cost
