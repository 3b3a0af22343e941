// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QList>
#include <QString>
#include <QWidget>

class QAction;

namespace p2::views {

class Session;

/// One page of the window. It reads and edits the Session it was made with and knows no other perspective; what must
/// happen elsewhere it asks for by signal.
class Perspective : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  [[nodiscard]] virtual QString title() const = 0;     ///< "Placements"
  [[nodiscard]] virtual QString iconName() const = 0;  ///< of resources/icons, without suffix
  /// What F1 shows: a few sentences of rich text on what one sees and can do here.
  [[nodiscard]] virtual QString help() const = 0;
  /// Actions of this perspective for the View menu, with shortcuts.
  [[nodiscard]] virtual QList<QAction*> viewActions() { return {}; }
  /// What goes on here that closing the window would cut off, in words: "3 runs". Empty when there is nothing.
  [[nodiscard]] virtual QString unfinished() const { return {}; }

 signals:
  /// The user wants to go on in another perspective ("Programs"): double click, Enter.
  void perspectiveWanted(const QString& title);
};

}  // namespace p2::views
