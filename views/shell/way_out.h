// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "base/result.h"

namespace p2::views {

/// The place to fix the problem that prevents an exploration.
struct WayOut {
  QString page;  ///< id of a perspective
  QString name;  ///< "Go to the axes"
};

/// The remedy for a problem, by the part of the workspace that it is about: the system, or else its axes and goal.
[[nodiscard]] WayOut wayOutOf(const Error& problem);

}  // namespace p2::views
