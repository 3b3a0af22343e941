// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <set>

#include "system/link_graph.h"
#include "system/part_states.h"

namespace p2::inline system {

/// The share of its bandwidth that the states of a system leave each link.
class LinkShares {
 public:
  /// The system must outlive it.
  explicit LinkShares(const System& system);
  [[nodiscard]] bool empty() const { return m_states.empty(); }
  /// The product of all states that are about the link. O(states), and O(name) where some name a link.
  [[nodiscard]] double of(const LinkGraph::Link& link);
  /// Position of a state whose link does not exist; −1 if there is none. After all links were asked for.
  [[nodiscard]] int unknown() const;

 private:
  struct State {
    StatePart part;
    double left = 1;
    std::size_t index = 0;
    bool met = false;
  };
  [[nodiscard]] bool isWithin(const Place& place, const Place& level) const;
  [[nodiscard]] bool concerns(const StatePart& part, const LinkGraph::Link& link, std::string& name) const;

  const System& m_system;
  std::vector<State> m_states;
};

}  // namespace p2::inline system
