// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "support/fixtures.h"
#include "synthesis/detail/explicit_engine.h"

namespace p2::test {

/// Every state that bit matrices can get into, on a whole reduction or another one, and every way on: nothing left out,
/// nothing folded.
class ExplicitWays {
 public:
  struct Node {
    ExplicitEngine::States states;
    Program program;  ///< that leads here, a shortest one
    bool goal = false;
    std::vector<std::pair<Instruction, int>> edges;
    int distance = -1;              ///< fewest steps to the goal; −1 if it is out of reach
    std::vector<DeviceState> held;  ///< by member, every bit it has here or anywhere behind
    std::vector<int> fewest;        ///< by member, the fewest chunks it holds here or anywhere behind
  };

  ExplicitWays(const std::vector<std::int64_t>& sizes, RuleSet rules, const Goal& goal)
      : ExplicitWays(systemOf(sizes), wholeReduction(systemOf(sizes)), rules, goal) {}

  ExplicitWays(System on, const Placement& placed, RuleSet rules, const Goal& goal)
      : system(std::move(on)), placement(placed), hierarchy(system, placement) {
    ExplicitEngine engine(placement, hierarchy, rules, goal);
    std::map<ExplicitEngine::States, int> numbers{{engine.initial(), 0}};
    nodes.push_back({engine.initial(), {}, engine.isGoal(engine.initial()), {}, -1, {}, {}});
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      for (const GroupPattern& pattern : groupPatterns(hierarchy)) {
        for (const Collective collective : kCollectives) {
          const Instruction instruction{pattern, collective};
          auto outcome = engine.apply(nodes[node].states, instruction);
          auto* after = std::get_if<ExplicitEngine::States>(&outcome);
          if (after == nullptr) continue;
          const auto [found, isNew] = numbers.try_emplace(*after, int(nodes.size()));
          nodes[node].edges.push_back({instruction, found->second});
          if (!isNew) continue;
          Program longer = nodes[node].program;
          longer.push_back(instruction);
          const bool isGoal = engine.isGoal(*after);
          nodes.push_back({std::move(*after), std::move(longer), isGoal, {}, -1, {}, {}});
        }
      }
    }
    lookAhead();
  }

  System system;
  Placement placement;
  SynthesisHierarchy hierarchy;
  std::vector<Node> nodes;

 private:
  void lookAhead() {
    std::vector<bool> done(nodes.size(), false);
    std::vector<int> open{0};
    while (!open.empty()) {
      Node& node = nodes[std::size_t(open.back())];
      const auto pending = std::find_if(node.edges.begin(), node.edges.end(),
                                        [&](const auto& edge) { return !done[std::size_t(edge.second)]; });
      if (pending != node.edges.end()) {
        open.push_back(pending->second);
        continue;
      }
      done[std::size_t(open.back())] = true;
      open.pop_back();
      settle(node);
    }
  }

  void settle(Node& node) {
    node.held = node.states;
    for (const DeviceState& state : node.states) node.fewest.push_back(state.rowCount());
    if (node.goal) node.distance = 0;
    for (const auto& [instruction, target] : node.edges) {
      const Node& next = nodes[std::size_t(target)];
      for (std::size_t member = 0; member < node.held.size(); ++member) {
        node.held[member].unite(next.held[member]);
        node.fewest[member] = std::min(node.fewest[member], next.fewest[member]);
      }
      if (next.distance < 0) continue;
      node.distance = node.distance < 0 ? next.distance + 1 : std::min(node.distance, next.distance + 1);
    }
  }
};

}  // namespace p2::test
