// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace p2::views {

inline constexpr int kContributorColors = 8;

/// The colour of a contributor: one of eight of resources/palette.json, which stand out from the scheme's surface by
/// 3:1 and from each other, also for eyes without red or green cones.
[[nodiscard]] QColor contributorColor(int i);

}  // namespace p2::views
