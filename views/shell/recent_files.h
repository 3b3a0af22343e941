// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QSettings;

namespace p2::views {

/// The files opened and saved last, latest first, remembered in the settings.
class RecentFiles : public QObject {
  Q_OBJECT
 public:
  explicit RecentFiles(QSettings& settings, QObject* parent = nullptr);

  /// Absolute paths, at most kMost.
  [[nodiscard]] QStringList paths() const;
  /// Moves the path to the front.
  void add(const QString& path);
  void remove(const QString& path);
  void clear();

  static constexpr int kMost = 10;

 signals:
  void changed();

 private:
  void store(const QStringList& paths);

  QSettings& m_settings;
};

}  // namespace p2::views
