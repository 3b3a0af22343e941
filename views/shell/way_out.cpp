// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/way_out.h"

#include <QObject>

#include "views/shell/perspective.h"

namespace p2::views {

WayOut wayOutOf(const Error& problem) {
  if (problem.where.part.starts_with("/system")) return {kSystemPage, QObject::tr("Go to the system")};
  return {kPlacementsPage, QObject::tr("Go to the axes")};
}

}  // namespace p2::views
