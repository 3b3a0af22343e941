// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/private_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace p2::views {

void makePrivate(const QString& path) {
  constexpr QFile::Permissions kOwner = QFile::ReadOwner | QFile::WriteOwner;
  QDir().mkpath(QFileInfo(path).absolutePath());
  QFile file(path);
  if (file.open(QIODevice::WriteOnly | QIODevice::NewOnly, kOwner) || !file.exists()) return;
  constexpr QFile::Permissions kOthers =
      QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
  if (file.permissions() & kOthers) file.setPermissions(kOwner);
}

}  // namespace p2::views
