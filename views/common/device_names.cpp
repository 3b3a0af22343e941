// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/device_names.h"

#include <QCoreApplication>
#include <QStringList>

#include "views/common/device_map.h"

namespace p2::views {

QString deviceShortName(Device device) { return 'd' + QString::number(device.value()); }

QString deviceName(const System& system, Device device) {
  return QCoreApplication::translate("DeviceNames", "device %1 · %2")
      .arg(QString::number(device.value()), instanceName(system, int(system.levels.size()) - 1, device.value()));
}

QString deviceMarker(const Placement& placement, Device device) {
  QStringList parts;
  for (const std::int64_t coordinate : placement.coordinates(device)) parts += QString::number(coordinate);
  return parts.join('/');
}

QString deviceHeading(const Placement& placement, Device device) {
  const QString marker = deviceMarker(placement, device);
  const QString name = deviceShortName(device);
  return marker == QString::number(device.value()) ? name : name + QStringLiteral(" · ") + marker;
}

}  // namespace p2::views
