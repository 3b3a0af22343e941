// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/drawing_detail.h"

#include <algorithm>
#include <array>

#include "views/common/navigation.h"
#include "views/system/inside_layout.h"

namespace p2::views {
namespace {

constexpr std::int64_t kMostDrawn = 64;  // devices

/// From everything to next to nothing; each folds parts of the one before.
std::vector<DrawingDetail> detailsOf(const System& system) {
  std::vector<DrawingDetail> details{{}};
  for (std::size_t i = 1; i < system.levels.size(); ++i) details.push_back({i});
  for (const auto& [chips, devices] : std::array<std::pair<std::int64_t, std::int64_t>, 7>{
           {{8, 16}, {4, 16}, {2, 16}, {8, 8}, {4, 8}, {2, 8}, {2, 4}}}) {
    details.push_back({system.levels.size(), chips, devices});
  }
  return details;
}

double labelHeight(const System& system, const std::vector<std::int64_t>& open, const DrawingDetail& detail,
                   QSizeF room) {
  const QSizeF size = measureInsides(system, drawnLevels(system, open, detail)).front().size;
  return Navigation::fittedZoom(QRectF({0, 0}, size), room).value_or(1) * kDrawnText;
}

}  // namespace

std::vector<DrawnLevel> drawnLevels(const System& system, const std::vector<std::int64_t>& open,
                                    const DrawingDetail& detail) {
  std::vector<DrawnLevel> levels(system.levels.size());
  std::int64_t devices = 1;
  std::size_t holding = 0;  // levels further out that hold others, and more than one of them
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) holding += system.levels[i].count > 1 ? 1 : 0;
  for (std::size_t i = levels.size(); i-- > 0;) {
    const std::int64_t count = system.levels[i].count;
    const std::int64_t wanted = i < open.size() ? std::clamp<std::int64_t>(open[i], 0, count - 1) : 0;
    const bool innermost = i + 1 == levels.size();
    if (!innermost && count > 1) --holding;
    const bool folded =
        !innermost && count > 1 && (holding < detail.folded || count > kMostAbreast || devices * count > kMostDrawn);
    const std::int64_t most = innermost ? detail.devices : folded ? detail.chips : kMostAbreast;
    levels[i].first = wanted / most * most;
    levels[i].drawn = std::min(count - levels[i].first, most);
    if (folded) {
      levels[i].open = wanted;
    } else {
      devices *= levels[i].drawn;
    }
  }
  return levels;
}

DrawingDetail fittingDetail(const System& system, const std::vector<std::int64_t>& open, QSizeF room) {
  const std::vector<DrawingDetail> details = detailsOf(system);
  DrawingDetail best;
  double largest = 0;
  for (const DrawingDetail& detail : details) {
    const double height = labelHeight(system, open, detail, room);
    if (height > largest) {
      largest = height;
      best = detail;
    }
    if (height >= kLeastLabel) break;
  }
  return best;
}

}  // namespace p2::views
