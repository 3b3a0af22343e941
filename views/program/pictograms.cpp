// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/pictograms.h"

#include <QPainter>
#include <algorithm>
#include <array>

#include "collective/rules.h"

namespace p2::views {
namespace {

constexpr int kDevices = 3;
constexpr std::size_t kMostDots = 16;

QPixmap blank(QSize size, double ratio) {
  QPixmap pixmap(size * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  return pixmap;
}

/// What three devices typically hold before a collective.
std::vector<DeviceState> beforeOf(Collective collective) {
  const CollectiveTraits& traits = traitsOf(collective);
  const bool gathers = traits.makes == Makes::Pieces;
  const bool deals = traits.makes == Makes::RootCopy;
  const Distribution distribution = gathers ? kSumScattered : deals ? kSumAtRoot : kOwnData;
  std::vector<DeviceState> states;
  for (int member = 0; member < kDevices; ++member) states.push_back(distribution.stateOf(kDevices, member));
  return states;
}

std::vector<DeviceState> afterOf(Collective collective, const std::vector<DeviceState>& before) {
  MemberStates members;
  for (const DeviceState& state : before) members.push_back(&state);
  const auto outcome = applyRule(collective, members, {});
  const auto* after = std::get_if<std::vector<DeviceState>>(&outcome);
  return after != nullptr ? *after : before;
}

/// One device a column, one chunk a row; the more it is summed over, the darker.
void paintStates(QPainter& painter, QRectF room, const std::vector<DeviceState>& states, QColor ink) {
  const double unit = room.width() / kDevices;
  for (int device = 0; device < kDevices; ++device) {
    for (int chunk = 0; chunk < kDevices; ++chunk) {
      const QRectF cell(room.left() + device * unit + 0.5, room.top() + chunk * unit + 0.5, unit - 1.5, unit - 1.5);
      const auto summed = states[std::size_t(device)].columns(chunk).size();
      ink.setAlphaF(summed == 0 ? 0.12F : summed == 1 ? 0.4F : 1.0F);
      painter.fillRect(cell, ink);
    }
  }
}

}  // namespace

QPixmap collectivePictogram(Collective collective, int height, double ratio, const QColor& ink) {
  const int arrow = height / 2;
  QPixmap pixmap = blank({2 * height + arrow, height}, ratio);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  const std::vector<DeviceState> before = beforeOf(collective);
  paintStates(painter, QRectF(0, 0, height, height), before, ink);
  paintStates(painter, QRectF(height + arrow, 0, height, height), afterOf(collective, before), ink);
  const double middle = height / 2.0;
  const QPointF tip(height + arrow - 2, middle);
  painter.setPen(QPen(ink, 1.2));
  painter.drawLine(QPointF(height + 2, middle), tip);
  painter.drawLine(tip, tip + QPointF(-2.5, -2.5));
  painter.drawLine(tip, tip + QPointF(-2.5, 2.5));
  return pixmap;
}

QPixmap groupsPictogram(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern, int height, double ratio,
                        const QColor& ink) {
  const auto all = std::size_t(hierarchy.deviceCount());
  const std::size_t dots = std::min(all, kMostDots);
  const double step = height / 2.2;
  const double radius = step * 0.28;
  QPixmap pixmap = blank({int(step * double(dots)) + 2, height}, ratio);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  // Of more devices than there is room for, evenly many, so that every level still shows.
  const auto shownAt = [&](std::size_t dot) { return dot * all / dots; };
  std::vector<int> groupOf(all, -1);
  const std::vector<MemberGroup> groups = hierarchy.memberGroups(pattern);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const MemberId member : groups[group]) groupOf[member.index()] = int(group);
  }
  std::vector<int> known;
  std::vector<double> lastX;
  for (std::size_t dot = 0; dot < dots; ++dot) {
    const QPointF centre(step * (double(dot) + 0.5), height / 2.0);
    const int group = groupOf[shownAt(dot)];
    if (group >= 0) {
      const auto at = std::size_t(std::find(known.begin(), known.end(), group) - known.begin());
      // Each group's line has its own height, so that interleaved groups stay distinct.
      const double lift = height / 2.0 - radius - 1;
      const double y = centre.y() + lift * (0.5 + 0.5 * double(at % 4) / 3.0) * (at % 2 == 0 ? -1 : 1);
      if (at == known.size()) {
        known.push_back(group);
        lastX.push_back(centre.x());
      } else {
        painter.setPen(QPen(ink, 1));
        painter.drawPolyline(QPolygonF{{lastX[at], centre.y()}, {lastX[at], y}, {centre.x(), y}, centre});
        lastX[at] = centre.x();
      }
    }
    painter.setPen(QPen(ink, 1));
    painter.setBrush(group >= 0 ? QBrush(ink) : QBrush(Qt::NoBrush));
    painter.drawEllipse(centre, radius, radius);
  }
  return pixmap;
}

}  // namespace p2::views
