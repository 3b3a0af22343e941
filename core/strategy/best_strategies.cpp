// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/best_strategies.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "base/units.h"
#include "strategy/detail/elimination_tables.h"

namespace p2::inline strategy {

namespace {

/// Where the parts of a choice stand.
constexpr std::size_t kStep = 0;
constexpr std::size_t kValue = 1;
constexpr std::size_t kChildren = 2;

std::vector<std::size_t> positionOf(std::size_t cell, const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> position(sizes.size());
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    position[axis] = cell % sizes[axis];
    cell /= sizes[axis];
  }
  return position;
}

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

BestStrategies::BestStrategies(const CostNetwork& network, const EliminationPlan& plan,
                               const std::vector<CostTable>& tables, std::uint64_t mostBytes)
    : m_network(network), m_plan(plan), m_mostBytes(mostBytes), m_choices(plan, m_firsts) {
  for (const EliminationStep& step : plan.steps) {
    Node& node = m_nodes.emplace_back();
    m_firsts.push_back(step.vertex);
    if (step.vertex < network.values.size()) node.values = network.sizeOf(step.vertex);
    for (const std::size_t v : step.separator) node.sizes.push_back(network.sizeOf(v));
    for (const Factor& factor : step.inputs) {
      Input input{tables[factor.table].cells.data(), std::vector<std::size_t>(step.separator.size()), 0};
      const std::vector<std::size_t> strides = stridesOf(tables[factor.table].sizes);
      for (std::size_t i = 0; i < factor.scope.size(); ++i) {
        const auto axis = std::find(step.separator.begin(), step.separator.end(), factor.scope[i]);
        const bool own = axis == step.separator.end();
        (own ? input.own : input.strides[static_cast<std::size_t>(axis - step.separator.begin())]) = strides[i];
      }
      node.inputs.push_back(std::move(input));
    }
  }
  linkChildren();
}

void BestStrategies::linkChildren() {
  std::vector<std::size_t> place(m_network.values.size());
  for (std::size_t i = 0; i + 1 < m_plan.steps.size(); ++i) place[m_plan.steps[i].vertex] = i;
  // A step comes before its parent, so its subtree is complete when it is linked.
  for (std::size_t i = 0; i + 1 < m_plan.steps.size(); ++i) {
    const std::vector<std::size_t>& separator = m_plan.steps[i].separator;
    std::size_t parent = m_plan.steps.size() - 1;
    for (const std::size_t v : separator) parent = std::min(parent, place[v]);
    const EliminationStep& above = m_plan.steps[parent];
    const std::vector<std::size_t> strides = stridesOf(m_nodes[i].sizes);
    Child child{i, std::vector<std::size_t>(above.separator.size() + 1)};
    for (std::size_t axis = 0; axis < separator.size(); ++axis) {
      const auto at = std::find(above.separator.begin(), above.separator.end(), separator[axis]);
      child.strides[static_cast<std::size_t>(at - above.separator.begin())] = strides[axis];
    }
    m_nodes[parent].children.push_back(std::move(child));
    m_firsts[parent] = std::min(m_firsts[parent], m_firsts[i]);
  }
}

std::size_t BestStrategies::stateAt(std::size_t step, std::size_t cell) {
  const auto [known, fresh] = m_nodes[step].states.try_emplace(cell, m_states.size());
  if (fresh) m_states.push_back({step, cell, {}, {}});
  return known->second;
}

std::size_t BestStrategies::childState(const State& state, std::uint32_t value, std::size_t child) {
  const Node& node = m_nodes[state.step];
  const Child& link = node.children[child];
  std::size_t cell = value * link.strides.back();
  std::size_t rest = state.cell;
  for (std::size_t axis = node.sizes.size(); axis-- > 0; rest /= node.sizes[axis]) {
    cell += rest % node.sizes[axis] * link.strides[axis];
  }
  return stateAt(link.step, cell);
}

bool BestStrategies::known(const Demand& demand) const {
  const State& state = m_states[demand.state];
  const bool exhausted = state.opened && state.candidates.empty() && state.advanced;
  return state.best.size() > demand.rank || exhausted;
}

void BestStrategies::open(State& state) {
  const Node& node = m_nodes[state.step];
  const std::vector<std::size_t> position = positionOf(state.cell, node.sizes);
  state.candidates.resize(node.values);
  for (std::uint32_t value = 0; value < node.values; ++value) state.candidates[value].value = value;
  for (const Input& input : node.inputs) {
    const double* cells = input.cells;
    for (std::size_t axis = 0; axis < position.size(); ++axis) cells += position[axis] * input.strides[axis];
    for (std::size_t value = 0; value < node.values; ++value) state.candidates[value].cost += cells[value * input.own];
  }
  state.opened = true;
  m_bytes += sizeof(State) + node.values * sizeof(Derivation);
}

void BestStrategies::addSuccessors(std::size_t index, std::vector<Demand>& missing) {
  State& state = m_states[index];
  const std::size_t children = m_nodes[state.step].children.size();
  const Derivation last = state.best.back();
  // Only ranks from the last raised one on are raised, so that every combination has one predecessor.
  std::size_t from = children;
  while (from > 0 && rankOf(last, from - 1) == 0) --from;
  from = from == 0 ? 0 : from - 1;
  std::vector<Derivation> successors;
  for (std::size_t child = from; child < children; ++child) {
    const std::size_t rank = rankOf(last, child);
    const Demand demand{childState(state, last.value, child), rank + 1};
    if (!known(demand)) {
      missing.push_back(demand);
      continue;
    }
    const std::vector<Derivation>& below = m_states[demand.state].best;
    if (below.size() <= rank + 1) continue;
    Derivation successor = last;
    successor.ranks.resize(children);
    ++successor.ranks[child];
    successor.cost += below[rank + 1].cost - below[rank].cost;
    successors.push_back(std::move(successor));
  }
  if (!missing.empty()) return;
  m_bytes += successors.size() * (sizeof(Derivation) + children * sizeof(std::uint32_t));
  std::move(successors.begin(), successors.end(), std::back_inserter(state.candidates));
  state.advanced = true;
}

void BestStrategies::choose(std::size_t index, std::vector<Demand>& missing) {
  State& state = m_states[index];
  const Node& node = m_nodes[state.step];
  double least = std::numeric_limits<double>::max();
  for (const Derivation& candidate : state.candidates) least = std::min(least, candidate.cost);
  std::vector<std::size_t> tied;
  for (std::size_t i = 0; i < state.candidates.size(); ++i) {
    if (state.candidates[i].cost == least) tied.push_back(i);
  }
  // Where the vertex is the first of its subtree its value decides before all others.
  if (m_plan.steps[state.step].vertex == m_firsts[state.step]) {
    std::uint32_t smallest = std::numeric_limits<std::uint32_t>::max();
    for (const std::size_t i : tied) smallest = std::min(smallest, state.candidates[i].value);
    std::erase_if(tied, [&](std::size_t i) { return state.candidates[i].value != smallest; });
  }
  for (const std::size_t i : tied) {
    const Derivation& candidate = state.candidates[i];
    for (std::size_t child = 0; child < node.children.size(); ++child) {
      const Demand demand{childState(state, candidate.value, child), rankOf(candidate, child)};
      if (!known(demand)) missing.push_back(demand);
    }
  }
  if (!missing.empty()) return;
  std::size_t first = tied[0];
  SubtreeChoices::Choice choice = choiceOf(state, state.candidates[first]);
  for (const std::size_t i : tied) {
    if (i == first) continue;
    SubtreeChoices::Choice other = choiceOf(state, state.candidates[i]);
    if (!m_choices.before(other, choice)) continue;
    first = i;
    choice = std::move(other);
  }
  state.candidates[first].choices = m_choices.idOf(std::move(choice));
  state.best.push_back(std::move(state.candidates[first]));
  state.candidates[first] = std::move(state.candidates.back());
  state.candidates.pop_back();
  state.advanced = false;
}

SubtreeChoices::Choice BestStrategies::choiceOf(const State& state, const Derivation& derivation) {
  SubtreeChoices::Choice choice{static_cast<SubtreeChoices::Id>(state.step), derivation.value};
  const std::size_t children = m_nodes[state.step].children.size();
  choice.reserve(choice.size() + children);
  for (std::size_t child = 0; child < children; ++child) {
    const State& below = m_states[childState(state, derivation.value, child)];
    choice.push_back(below.best[rankOf(derivation, child)].choices);
  }
  return choice;
}

Result<void> BestStrategies::satisfy(Demand demand, const std::stop_token& stop) {
  std::vector<Demand> stack{demand};
  while (!stack.empty()) {
    if (stop.stop_requested()) return cancelledError();
    if (m_bytes > m_mostBytes) {
      return Error{"too many strategies of equal cost: listing them needs more than " +
                       formatBytes(Bytes(static_cast<double>(m_mostBytes))) + "; allow more memory or ask for fewer",
                   {},
                   ErrorKind::TooLarge};
    }
    const Demand top = stack.back();
    if (known(top)) {
      stack.pop_back();
      continue;
    }
    State& state = m_states[top.state];
    if (!state.opened) open(state);
    std::vector<Demand> missing;
    if (!state.best.empty() && !state.advanced) addSuccessors(top.state, missing);
    // With nothing left to choose from, known() now says so.
    if (missing.empty() && !state.candidates.empty()) choose(top.state, missing);
    stack.insert(stack.end(), missing.begin(), missing.end());
  }
  return {};
}

Result<std::optional<std::vector<std::size_t>>> BestStrategies::next(std::stop_token stop) {
  const std::size_t root = stateAt(m_plan.steps.size() - 1, 0);
  P2_TRY(satisfy({root, m_found}, stop));
  if (m_states[root].best.size() <= m_found) return std::optional<std::vector<std::size_t>>();
  std::vector<std::size_t> choice(m_network.values.size());
  std::vector<Demand> open{{root, m_found++}};
  while (!open.empty()) {
    const Demand at = open.back();
    open.pop_back();
    const State& state = m_states[at.state];
    const Derivation& derivation = state.best[at.rank];
    const std::size_t vertex = m_plan.steps[state.step].vertex;
    if (vertex < choice.size()) choice[vertex] = derivation.value;
    for (std::size_t child = 0; child < m_nodes[state.step].children.size(); ++child) {
      open.push_back({childState(state, derivation.value, child), rankOf(derivation, child)});
    }
  }
  return std::optional(std::move(choice));
}

}  // namespace p2::inline strategy
