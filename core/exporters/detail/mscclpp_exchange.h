// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/exporters: the operations by which ranks exchange chunks.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "exporters/detail/mscclpp_schedule.h"

namespace p2::inline exporters {

/// Chunks that one rank sends to another; to its scratch buffer if they are summed there.
struct MscclppTransfer {
  int from = 0;
  int to = 0;
  ChunkSet chunks;
};
using MscclppTransfers = std::vector<MscclppTransfer>;

/// Writes exchanges to a schedule, one after the other.
class MscclppExchanges {
 public:
  /// `nodes` has the node of every rank: ranks of one node reach each other's memory. The schedule must outlive it.
  MscclppExchanges(MscclppSchedule& schedule, std::vector<std::int64_t> nodes)
      : m_schedule(schedule), m_nodes(std::move(nodes)) {}

  /// All transfers among some ranks at once. Each rank waits until its receivers are free, sends, waits for its
  /// senders, and adds up what arrived if the parts are summed. O(ranks · transfers).
  void add(const std::vector<int>& ranks, const MscclppTransfers& transfers, bool summed);

 private:
  /// Slots of transfers in the scratch buffers of their receivers; −1 for transfers that arrive in place.
  using Slots = std::vector<std::int64_t>;

  [[nodiscard]] Slots slotsOf(const MscclppTransfers& transfers, bool summed);
  [[nodiscard]] bool isPort(int a, int b) const { return m_nodes[std::size_t(a)] != m_nodes[std::size_t(b)]; }
  [[nodiscard]] MscclppRank& at(int rank) { return m_schedule.ranks[std::size_t(rank)]; }
  /// All threads of a rank meet.
  void meet(int rank);
  void synchronise(int rank, const std::string& name, const std::set<int>& peers);
  void put(int rank, const MscclppTransfers& transfers, const Slots& slots, const std::set<int>& receivers);
  void await(int rank, const MscclppTransfers& transfers, const std::set<int>& senders);
  void sum(int rank, const MscclppTransfers& transfers, const Slots& slots);

  MscclppSchedule& m_schedule;
  std::vector<std::int64_t> m_nodes;
};

}  // namespace p2::inline exporters
