// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>

#include "views/shell/perspective.h"

class QAction;
class QActionGroup;
class QMenu;
class QToolButton;
class QVBoxLayout;

namespace p2::views {

/// The left edge: one button per page or group of pages, icon over name, or the icon alone where there is little room.
/// Where the window is too low for all icons, the last ones fold into the menu of a button "More". Pages of the current
/// group are chosen in a strip of their own, which belongs above the pages. The actions also make the View menu.
class PerspectiveBar : public QFrame {
  Q_OBJECT
 public:
  explicit PerspectiveBar(QWidget* parent = nullptr);

  /// Adds the button of a group, see PagePlace::group. It leads to the page of the group that was shown last.
  void addGroup(const PerspectiveFace& group, bool separated = false);
  void add(const PerspectiveFace& face, const PagePlace& place = {});
  void setCurrent(int page);
  [[nodiscard]] QList<QAction*> pageActions() const;
  /// The pages of the current group, one button each; hidden for pages without a group. The bar does not own it once it
  /// has another parent.
  [[nodiscard]] QWidget* strip() const { return m_strip; }
  /// Shows icons alone: where the window is narrow. Where it is low, it does so by itself.
  void setNarrow(bool narrow);
  /// Room for some icons and for "More", however many pages there are.
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void pageWanted(int page);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Group {
    QString id;
    QToolButton* button = nullptr;
    QList<int> pages;
    int last = -1;  ///< page that was shown last
  };
  QAction* makeAction(const PerspectiveFace& face, const QString& key);
  QToolButton* makeButton(const QString& name);
  void insertButton(QToolButton* button, bool first, bool separated);
  void buildMore();
  /// Height of a number of buttons with icons alone, or with names below them.
  [[nodiscard]] int heightOf(int buttons, Qt::ToolButtonStyle style, int icon) const;
  void chooseStyle();
  /// Hides the buttons after the first `shown`, whose pages are then in the menu of "More".
  void foldAfter(int shown);
  void fillMore();
  void checkMore();
  [[nodiscard]] bool stripHasRoom() const;

  QActionGroup* m_group;
  QVBoxLayout* m_layout;
  QToolButton* m_sample;  ///< never shown, so that its size can be asked for without the layout noticing
  QToolButton* m_more;
  QMenu* m_moreMenu;
  QList<QToolButton*> m_buttons;  ///< without m_more
  QList<QFrame*> m_lines;
  QList<Group> m_groups;
  QWidget* m_strip;
  QList<QToolButton*> m_stripButtons;  ///< by page; null for pages without a group
  bool m_narrow = false;
};

}  // namespace p2::views
