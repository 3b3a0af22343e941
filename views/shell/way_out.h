// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "base/result.h"

namespace p2::views {

/// Where what keeps a workspace from being explored can be mended.
struct WayOut {
  QString page;  ///< of a perspective
  QString name;  ///< "Go to the axes"
};

/// By the part of the workspace that a problem is about: the system, or else its axes and goal.
[[nodiscard]] WayOut wayOutOf(const Error& problem);

}  // namespace p2::views
