// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost.
#pragma once

#include "cost/flows/uniform_load.h"

namespace p2::inline cost {

/// Keeps the busiest link of one level; the lowest number among equals, for any order of calls.
class UniformLoad::Busiest {
 public:
  Busiest(const Topology::LevelLinks& links, std::size_t level) : m_links(links), m_level(level) {}

  void consider(std::int64_t instance, bool otherWay, double bytes) {
    const LinkLoad load{m_links.link(instance, otherWay), bytes, m_links.bandwidth, m_level};
    const bool equal = load.bytes > 0 && !m_load.isBusierThan(load);
    if (load.isBusierThan(m_load) || (equal && load.link < m_load.link)) m_load = load;
  }
  [[nodiscard]] const LinkLoad& load() const { return m_load; }

 private:
  const Topology::LevelLinks& m_links;
  std::size_t m_level;
  LinkLoad m_load;
};

}  // namespace p2::inline cost
