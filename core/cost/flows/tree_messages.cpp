// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "cost/flows/detail/group_messages.h"

namespace p2::inline cost {
namespace {

using Members = std::set<std::size_t>;

/// The chunk before which the first `count` ones of a set are.
std::int64_t endOfFirst(const ChunkSet& rows, std::int64_t count) {
  for (const ChunkRange& range : rows) {
    if (count <= range.to - range.from) return range.from + count;
    count -= range.to - range.from;
  }
  return rows.back().to;
}

bool isWhole(const TreeMessage& message) { return message.share == 1; }

/// Members as runs that follow each other in the group.
void append(std::vector<Cargo>& cargoes, const ChunkSet& rows, const Members& members) {
  const std::size_t before = cargoes.size();
  for (const std::size_t member : members) {
    if (cargoes.size() > before && cargoes.back().first + cargoes.back().count == member) {
      ++cargoes.back().count;
    } else {
      cargoes.push_back({rows, member, 1});
    }
  }
}

/// Members of the first node's chain.
std::size_t firstChain(const std::vector<TreeMessage>& all) {
  Members members{0};
  for (bool grows = true; grows;) {
    grows = false;
    for (const TreeMessage& each : all) {
      if (each.up && isWhole(each) && members.contains(each.to)) grows |= members.insert(each.from).second;
    }
  }
  return members.size();
}

/// Adds the cargo of a message in these rows, and the receiver's rows from then on.
void load(StepMessage& message, const ChunkSet& rows, std::vector<Members>& holds, const TreeMessage& each) {
  if (!each.up) {
    message.cargo.push_back({rows, 0, holds.size()});
    message.landed.push_back({rows, 0, holds.size()});
    return;
  }
  append(message.cargo, rows, holds[each.from]);
  holds[each.to].insert(holds[each.from].begin(), holds[each.from].end());
  append(message.landed, rows, holds[each.to]);
}

}  // namespace

std::array<ChunkSet, 2> halvesOf(const ChunkSet& rows) {
  const std::int64_t count = countOf(rows);
  if (count < 2) return {rows, rows};
  const ChunkSet front = commonOf(rows, {{rows.front().from, endOfFirst(rows, (count + 1) / 2)}});
  return {front, withoutOf(rows, front)};
}

std::vector<UntimedMessage> treeMessages(const StepManner& manner, const DeviceGroup& group, const ChunkSet& rows,
                                         double working, bool leads) {
  const std::array<ChunkSet, 2> halves = halvesOf(rows);
  std::vector<TreeMessage> all = manner.treeMessages(group);
  std::stable_sort(all.begin(), all.end(), [](const TreeMessage& a, const TreeMessage& b) {
    return std::tuple(!a.up, a.round) < std::tuple(!b.up, b.round);
  });
  // The first node's chain leads; where nodes have no chains, the first messages to one receiver.
  const std::size_t chain = std::any_of(all.begin(), all.end(), isWhole) ? firstChain(all) : 0;
  const auto isFirst = [&](const TreeMessage& each) {
    return chain > 1 ? isWhole(each) && each.from < chain : each.to == all[0].to && each.round == all[0].round;
  };
  std::array<std::vector<Members>, 2> holds;
  for (auto& tree : holds) {
    for (std::size_t i = 0; i < group.size(); ++i) tree.push_back({i});
  }
  std::vector<UntimedMessage> made;
  for (const TreeMessage& each : all) {
    UntimedMessage& untimed = made.emplace_back();
    untimed.pass = each.up ? 0 : 1;
    untimed.round = each.round;
    StepMessage& message = untimed.message;
    message.of = group[each.from];
    message.to = group[each.to];
    message.chunks = working * each.share;
    message.rows = isWhole(each) ? rows : halves[static_cast<std::size_t>(each.tree)];
    message.adds = each.up;
    message.summed = !each.up;
    message.leads = leads && each.up && isFirst(each);
    for (std::size_t tree = 0; tree < halves.size(); ++tree) {
      const bool carries = isWhole(each) || static_cast<int>(tree) == each.tree;
      if (carries && !halves[tree].empty()) load(message, halves[tree], holds[tree], each);
    }
  }
  return made;
}

}  // namespace p2::inline cost
