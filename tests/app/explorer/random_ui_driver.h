// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>

#include "app/explorer/widget_driver.h"

class QFileDialog;
class QMenu;

namespace p2::test {

struct WindowDesk;

/// Hands that do anything in a window, by mouse and keys: they press buttons, choose from lists and menus, type numbers
/// and nonsense into fields, drag and turn the wheel over whatever is there, undo and redo, open and save, leave
/// dialogs open and change the window's size. The same seed does the same in the same window; the window's jobs take
/// their own time, so that what it shows, and with it what is there to be pressed, may differ.
class RandomUiDriver : public QObject {
 public:
  /// `folder` is where documents are saved, `files` what may be opened.
  RandomUiDriver(WindowDesk& desk, unsigned seed, const QString& folder, QStringList files);

  /// Does so many things, each as soon as the last one is done, also inside the loops of dialogs that wait; then closes
  /// what is open beside the window.
  void act(int times);

  /// What was done last, a line each.
  [[nodiscard]] QStringList last() const { return m_last; }
  /// The longest that the window's thread worked from one of them to the next, in seconds of a processor, and which it
  /// was.
  [[nodiscard]] double longest() const { return m_longest; }
  [[nodiscard]] QString longestOf() const { return m_longestOf; }

 private:
  void next();
  void one();
  void useMenu(QMenu& menu);
  void useFileDialog(QFileDialog& dialog);
  void useAny(QWidget& top);
  void triggerAny();
  void pressAnyKey();
  void resizeWindow();
  void closeOthers();
  void tell(const QString& what);
  void takeTime();

  WindowDesk& m_desk;
  QString m_folder;
  QStringList m_files;
  RandomChoice m_choice;
  WidgetDriver m_driver;
  QPointer<QWidget> m_at;
  int m_left = 0;
  bool m_acting = false;
  QStringList m_last;
  double m_since = 0;
  double m_longest = 0;
  QString m_longestOf;
};

}  // namespace p2::test
