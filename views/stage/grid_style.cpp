// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/grid_style.h"

#include <array>
#include <cstdint>

#include "views/common/contributor_colors.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

/// The first of the neighbours that share a hue.
int firstOfHue(int hue, int members) {
  return int((std::int64_t(hue) * members + kContributorColors - 1) / kContributorColors);
}

int hueOf(int member, int members) {
  return members <= kContributorColors ? member : int(std::int64_t(member) * kContributorColors / members);
}

}  // namespace

QColor memberColor(int member, int members) { return contributorColor(hueOf(member, members)); }

Qt::BrushStyle memberPattern(int member, int members) {
  static constexpr std::array kPatterns{Qt::SolidPattern, Qt::BDiagPattern,     Qt::HorPattern,   Qt::FDiagPattern,
                                        Qt::VerPattern,   Qt::DiagCrossPattern, Qt::CrossPattern, Qt::Dense4Pattern};
  if (members <= kContributorColors) return Qt::SolidPattern;
  const int within = member - firstOfHue(hueOf(member, members), members);
  return kPatterns[std::size_t(within) % kPatterns.size()];
}

GridInk GridInk::current() { return {Theme::box(0), Theme::surface(), Theme::mutedText()}; }

}  // namespace p2::views
