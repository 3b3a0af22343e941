// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace p2::views {
namespace {

constexpr QLatin1StringView kKey("recentFiles");

}  // namespace

RecentFiles::RecentFiles(QSettings& settings, QObject* parent) : QObject(parent), m_settings(settings) {}

QStringList RecentFiles::paths() const { return m_settings.value(kKey).toStringList(); }

void RecentFiles::add(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  QStringList all = paths();
  all.removeAll(absolute);
  all.prepend(absolute);
  store(all.mid(0, kMost));
}

void RecentFiles::remove(const QString& path) {
  QStringList all = paths();
  if (all.removeAll(QFileInfo(path).absoluteFilePath()) > 0) store(all);
}

void RecentFiles::clear() { store({}); }

void RecentFiles::store(const QStringList& all) {
  m_settings.setValue(kKey, all);
  emit changed();
}

}  // namespace p2::views
