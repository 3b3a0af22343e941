// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <functional>

#include "views/common/theme.h"

class QAction;
class QActionGroup;
class QSettings;

namespace p2::views {

/// Light, dark or as the system, and how large the text is: remembered in the settings, changed by its actions.
class Appearance : public QObject {
  Q_OBJECT
 public:
  /// Applies the saved settings.
  explicit Appearance(QSettings& settings, QObject* parent = nullptr);

  void setScheme(Theme::Scheme scheme);
  /// Clamped to 100 … 200 percent.
  void setTextZoom(int percent);
  [[nodiscard]] int textZoom() const { return m_percent; }
  /// Light, Dark, Follow the system.
  [[nodiscard]] QList<QAction*> schemeActions() const;
  /// Larger, smaller and normal text.
  [[nodiscard]] QList<QAction*> zoomActions() const { return m_zoomActions; }

 signals:
  void changed();

 private:
  void addScheme(const QString& text, Theme::Scheme scheme);
  void addZoom(const QString& text, const QKeySequence& shortcut, std::function<int()> percent);

  QSettings& m_settings;
  QActionGroup* m_schemes;
  QList<QAction*> m_zoomActions;
  int m_percent = 100;
};

}  // namespace p2::views
