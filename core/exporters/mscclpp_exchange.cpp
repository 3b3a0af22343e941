// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/mscclpp_exchange.h"

#include <algorithm>
#include <map>

namespace p2::inline exporters {
namespace {

/// Joins pieces of one size into one operation; over the network a peer gets one signal for every piece.
void addPut(std::vector<MscclppOperation>& puts, const MscclppPiece& from, const MscclppPiece& to, bool port) {
  const auto same = std::find_if(puts.begin(), puts.end(), [&](const MscclppOperation& put) {
    return put.port == port && put.from[0].size == from.size && put.from.size() < kMostMscclppPieces;
  });
  MscclppOperation& put =
      same != puts.end() ? *same : puts.emplace_back(MscclppOperation{port ? "pwsf" : "put", {}, {}, {}, port});
  put.from.push_back(from);
  put.to.push_back(to);
  if (port) put.peers.push_back(to.peer);
}

}  // namespace

MscclppExchanges::Slots MscclppExchanges::slotsOf(const MscclppTransfers& transfers, bool summed) {
  Slots slots(transfers.size(), -1);
  if (!summed) return slots;
  std::map<int, std::int64_t> used;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    std::int64_t& end = used[transfers[i].to];
    slots[i] = end;
    end += countOf(transfers[i].chunks);
    m_schedule.scratch = std::max(m_schedule.scratch, end);
  }
  return slots;
}

void MscclppExchanges::add(const std::vector<int>& ranks, const MscclppTransfers& transfers, bool summed) {
  const Slots slots = slotsOf(transfers, summed);
  for (const int rank : ranks) {
    std::set<int> senders;
    std::set<int> receivers;
    for (const MscclppTransfer& transfer : transfers) {
      if (transfer.to == rank) senders.insert(transfer.from);
      if (transfer.from == rank) receivers.insert(transfer.to);
    }
    meet(rank);
    synchronise(rank, "signal", senders);
    synchronise(rank, "wait", receivers);
    meet(rank);
    put(rank, transfers, slots, receivers);
    await(rank, transfers, senders);
    meet(rank);
    if (summed) sum(rank, transfers, slots);
  }
}

void MscclppExchanges::meet(int rank) {
  auto& operations = at(rank).operations;
  if (!operations.empty() && operations.back().name != "nop") operations.push_back({"nop"});
}

void MscclppExchanges::synchronise(int rank, const std::string& name, const std::set<int>& peers) {
  for (const bool port : {false, true}) {
    std::vector<int> some;
    for (const int peer : peers) {
      if (isPort(rank, peer) != port) continue;
      (port ? at(rank).portPeers : at(rank).memoryPeers).insert(peer);
      some.push_back(peer);
    }
    for (std::size_t from = 0; from < some.size(); from += kMostMscclppPieces) {
      const std::size_t to = std::min(some.size(), from + kMostMscclppPieces);
      at(rank).operations.push_back(
          {name, {}, {}, {some.begin() + std::ptrdiff_t(from), some.begin() + std::ptrdiff_t(to)}, port});
    }
  }
}

void MscclppExchanges::put(int rank, const MscclppTransfers& transfers, const Slots& slots,
                           const std::set<int>& receivers) {
  std::vector<MscclppOperation> puts;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    if (transfers[i].from != rank) continue;
    std::int64_t slot = slots[i];
    const bool port = isPort(rank, transfers[i].to);
    for (const ChunkRange& range : transfers[i].chunks) {
      const std::int64_t size = range.to - range.from;
      const MscclppPiece to{slot < 0 ? m_schedule.buffer : 's', slot < 0 ? range.from : slot, size, transfers[i].to};
      addPut(puts, {m_schedule.buffer, range.from, size}, to, port);
      if (slot >= 0) slot += size;
    }
  }
  auto& operations = at(rank).operations;
  operations.insert(operations.end(), puts.begin(), puts.end());
  std::set<int> near;
  for (const int peer : receivers) {
    if (!isPort(rank, peer)) near.insert(peer);
  }
  if (near.empty()) return;
  meet(rank);
  synchronise(rank, "signal", near);
}

void MscclppExchanges::await(int rank, const MscclppTransfers& transfers, const std::set<int>& senders) {
  std::map<int, std::size_t> signals;
  for (const int sender : senders) signals[sender] = isPort(rank, sender) ? 0 : 1;
  for (const MscclppTransfer& transfer : transfers) {
    if (transfer.to == rank && isPort(rank, transfer.from)) signals[transfer.from] += transfer.chunks.size();
  }
  for (std::size_t round = 0;; ++round) {
    std::set<int> due;
    for (const auto& [sender, count] : signals) {
      if (round < count) due.insert(sender);
    }
    if (due.empty()) return;
    synchronise(rank, "wait", due);
  }
}

void MscclppExchanges::sum(int rank, const MscclppTransfers& transfers, const Slots& slots) {
  std::vector<std::int64_t> arrived;
  ChunkSet own;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    if (transfers[i].to != rank) continue;
    arrived.push_back(slots[i]);
    own = transfers[i].chunks;
  }
  std::int64_t before = 0;
  for (const ChunkRange& range : own) {
    const std::int64_t size = range.to - range.from;
    for (std::size_t from = 0; from < arrived.size(); from += kMostMscclppPieces) {
      if (from > 0) meet(rank);
      const MscclppPiece target{m_schedule.buffer, range.from, size};
      MscclppOperation reduce{"re", {target}, {target}};
      for (std::size_t i = from; i < std::min(arrived.size(), from + kMostMscclppPieces); ++i) {
        reduce.from.push_back({'s', arrived[i] + before, size});
      }
      at(rank).operations.push_back(reduce);
    }
    before += size;
  }
}

}  // namespace p2::inline exporters
