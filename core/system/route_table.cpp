// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/route_table.h"

namespace p2::inline system {

void RouteTable::append(Device from, Device to, std::vector<LinkId>& links) {
  const std::int64_t key = from.value() * kMostDevices + to.value();
  const std::lock_guard lock(m_mutex);
  auto known = m_known.find(key);
  if (known == m_known.end()) {
    const std::vector<LinkId> found = m_search.route(from, to);
    if (m_links.size() + found.size() > kMostKnown) {
      m_known.clear();
      m_links.clear();
    }
    known = m_known.emplace(key, Known{m_links.size(), found.size()}).first;
    m_links.insert(m_links.end(), found.begin(), found.end());
  }
  const auto begin = m_links.begin() + static_cast<std::ptrdiff_t>(known->second.begin);
  links.insert(links.end(), begin, begin + static_cast<std::ptrdiff_t>(known->second.count));
}

}  // namespace p2::inline system
