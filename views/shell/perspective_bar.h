// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>

#include "views/shell/perspective.h"

class QAction;
class QActionGroup;
class QToolButton;
class QVBoxLayout;

namespace p2::views {

/// The left edge: one button per perspective, icon over name, or the icon alone where there is little room. Its actions
/// also make the View menu.
class PerspectiveBar : public QFrame {
  Q_OBJECT
 public:
  explicit PerspectiveBar(QWidget* parent = nullptr);

  /// Adds a button with the next of the shortcuts Ctrl+1 … Ctrl+9, Ctrl+0.
  void add(const PerspectiveFace& face);
  void setCurrent(int page);
  [[nodiscard]] QList<QAction*> pageActions() const;
  /// Shows icons alone: where the window is narrow. Where it is low, it does so by itself.
  void setNarrow(bool narrow);
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void pageWanted(int page);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// How high it is with icons alone or with names below them.
  [[nodiscard]] int heightOf(Qt::ToolButtonStyle style) const;
  void chooseStyle();

  QActionGroup* m_group;
  QVBoxLayout* m_layout;
  QToolButton* m_sample;  ///< never shown, so that its size can be asked for without the layout noticing
  QList<QToolButton*> m_buttons;
  bool m_narrow = false;
};

}  // namespace p2::views
