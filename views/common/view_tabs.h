// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QTabBar>
#include <vector>

class QAction;

namespace p2::views {

/// One of several views of the same.
struct ViewTab {
  const char* action;   ///< the name of the action that shows it
  const char* setting;  ///< how settings call it
  QString text;
  QString toolTip;  ///< the shortcut is added to it
};

/// Tabs by which one of several views is chosen, by mouse or by Alt and its number. Which one it was is remembered.
class ViewTabs : public QTabBar {
  Q_OBJECT
 public:
  /// `key` is the settings key, `accessible` the name of the choice for screen readers.
  ViewTabs(const QString& name, const QString& accessible, QString key, std::vector<ViewTab> tabs,
           QWidget* parent = nullptr);

  /// One for every tab, to be added to the widget in which their shortcuts count.
  [[nodiscard]] const QList<QAction*>& tabActions() const { return m_actions; }

 private:
  QString m_key;
  std::vector<ViewTab> m_tabs;
  QList<QAction*> m_actions;
};

}  // namespace p2::views
