// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>

#include "views/shell/perspective.h"

class QAction;
class QActionGroup;
class QVBoxLayout;

namespace p2::views {

/// The left edge: one button per perspective, icon over name. Its actions also make the View menu.
class PerspectiveBar : public QFrame {
  Q_OBJECT
 public:
  explicit PerspectiveBar(QWidget* parent = nullptr);

  /// Adds a button with the next of the shortcuts Ctrl+1 to Ctrl+9.
  void add(const PerspectiveFace& face);
  void setCurrent(int page);
  [[nodiscard]] QList<QAction*> pageActions() const;

 signals:
  void pageWanted(int page);

 private:
  QActionGroup* m_group;
  QVBoxLayout* m_layout;
};

}  // namespace p2::views
