// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "system/topology.h"

namespace p2::test {

/// The links of a route by their names, in their order.
inline QString routeText(const Topology& topology, std::int64_t from, std::int64_t to) {
  std::vector<LinkId> links;
  topology.route(Device(from), Device(to), links);
  QStringList names;
  for (const LinkId link : links) names.append(QString::fromStdString(topology.linkName(link)));
  return names.join(QStringLiteral(", "));
}

}  // namespace p2::test
