// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/device_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "views/common/device_names.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostMembersNamed = 16;

QString deviceTr(const char* text) { return QCoreApplication::translate("DeviceText", text); }

}  // namespace

QString membersText(const DeviceGroup& members) {
  QStringList names;
  for (std::size_t i = 0; i < std::min(members.size(), kMostMembersNamed); ++i)
    names += QString::number(members[i].value());
  const std::size_t more = members.size() - std::size_t(names.size());
  return names.join(QStringLiteral(", ")) + (more > 0 ? deviceTr(" and %1 more").arg(more) : QString());
}

QString deviceSentence(const System& system, const Placement& placement, Device device) {
  const std::vector<std::int64_t> at = placement.coordinates(device);
  QStringList axes;
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    axes += qs(placement.axes()[axis].name) + ' ' + QString::number(at[axis]);
  }
  const std::int64_t group = placement.groupOf(device);
  const DeviceGroup members = placement.groupMembers(group);
  return deviceTr("%1 · %2 · group %3 of %4: %5")
      .arg(deviceName(system, device), axes.join(QStringLiteral(", ")), Theme::categoryLetter(int(group)),
           QString::number(members.size()), membersText(members));
}

QString markerNames(const Placement& placement) {
  QStringList names;
  for (const Axis& axis : placement.axes()) names += qs(axis.name);
  return names.join('/');
}

QString markerLegend(const Placement& placement) {
  QStringList reduced;
  for (const Axis& axis : placement.axes()) {
    if (axis.reduce) reduced += qs(axis.name);
  }
  const bool one = placement.groupCount() == 1;
  return (one ? deviceTr("%1 · colour and letter: %2 group of %3 that reduces over %4")
              : deviceTr("%1 · colour and letter: %2 groups of %3 that reduce over %4"))
      .arg(markerNames(placement), QString::number(placement.groupCount()), QString::number(placement.groupSize()),
           reduced.join(QStringLiteral(", ")));
}

}  // namespace p2::views
