// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/subtree_choices.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace p2::inline strategy {
namespace {

/// Where the parts of a choice stand.
constexpr std::size_t kStep = 0;
constexpr std::size_t kValue = 1;
constexpr std::size_t kChildren = 2;

}  // namespace

std::size_t SubtreeChoices::Hash::operator()(const Choice& choice) const {
  constexpr std::uint64_t kPrime = 1099511628211;  // Fowler, Noll and Vo
  std::uint64_t hash = 14695981039346656037U;
  for (const Id each : choice) hash = (hash ^ each) * kPrime;
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

SubtreeChoices::Id SubtreeChoices::idOf(Choice choice) {
  const auto [known, fresh] = m_ids.try_emplace(std::move(choice), static_cast<Id>(m_choices.size()));
  if (fresh) m_choices.push_back(&known->first);
  return known->second;
}

SubtreeChoices::Known& SubtreeChoices::placeOf(Id first, Id second) {
  constexpr std::size_t kPlaces = std::size_t{1} << 16;
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  constexpr int kShift = 64 - 16;
  m_known.resize(kPlaces);
  return m_known[static_cast<std::size_t>(((std::uint64_t{first} << 32 | second) * kFactor) >> kShift)];
}

std::optional<SubtreeChoices::Difference> SubtreeChoices::find(Id first, Id second) {
  const Known& known = placeOf(std::min(first, second), std::max(first, second));
  if (known.first != std::min(first, second) || known.second != std::max(first, second)) return std::nullopt;
  return Difference{known.difference.vertex, known.difference.smaller == (first < second)};
}

void SubtreeChoices::remember(Id first, Id second, Difference difference) {
  placeOf(std::min(first, second), std::max(first, second)) = {
      std::min(first, second), std::max(first, second), {difference.vertex, difference.smaller == (first < second)}};
}

bool SubtreeChoices::before(const Choice& first, const Choice& second) {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  struct Pair {
    Id first;
    Id second;
    std::size_t above;  ///< the pair that this is a part of, among those looked at
  };
  std::vector<Pair> seen;
  // By the smallest vertex of the subtree, which may differ first.
  std::priority_queue<std::pair<std::size_t, std::size_t>, std::vector<std::pair<std::size_t, std::size_t>>,
                      std::greater<>>
      open;
  Difference least;
  std::size_t leastIn = kNone;  // number among the seen ones
  const auto take = [&](Difference difference, std::size_t in) {
    if (difference.vertex >= least.vertex) return;
    least = difference;
    leastIn = in;
  };
  const auto look = [&](const Choice& one, const Choice& other, std::size_t in) {
    if (one[kValue] != other[kValue]) take({m_plan.steps[one[kStep]].vertex, one[kValue] < other[kValue]}, in);
    for (std::size_t child = kChildren; child < one.size(); ++child) {
      if (one[child] == other[child]) continue;
      open.emplace(m_firsts[(*m_choices[one[child]])[kStep]], seen.size());
      seen.push_back({one[child], other[child], in});
    }
  };
  look(first, second, kNone);
  while (!open.empty() && open.top().first < least.vertex) {
    const std::size_t at = open.top().second;
    open.pop();
    const Pair pair = seen[at];
    if (const auto known = find(pair.first, pair.second)) {
      take(*known, at);
    } else {
      look(*m_choices[pair.first], *m_choices[pair.second], at);
    }
  }
  // The first difference of the whole is the first of every part that has it.
  for (std::size_t at = leastIn; at != kNone; at = seen[at].above) remember(seen[at].first, seen[at].second, least);
  return least.smaller;
}

}  // namespace p2::inline strategy
