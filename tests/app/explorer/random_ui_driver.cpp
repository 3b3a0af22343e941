// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/random_ui_driver.h"

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QTimer>
#include <array>
#include <cstdio>
#include <ctime>

#include "app/explorer/window_desk.h"

namespace p2::test {
namespace {

constexpr int kRemembered = 25;

double workedSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// What is in sight of a top-level window, for hands.
QWidgetList thingsIn(QWidget& top) {
  QWidgetList there;
  for (QWidget* widget : top.findChildren<QWidget*>()) {
    if (isForUiDriver(*widget) && widget->window() == &top) there << widget;
  }
  return there;
}

/// Those near another one: one thing is looked at for a while, and most of what is there is elsewhere.
QWidgetList near(const QWidgetList& there, const QWidget& at) {
  const QWidget* room = at.parentWidget();
  for (int i = 0; i < 2 && room != nullptr && room->parentWidget() != nullptr; ++i) room = room->parentWidget();
  QWidgetList found;
  for (QWidget* widget : there) {
    if (room != nullptr && room->isAncestorOf(widget)) found << widget;
  }
  return found.isEmpty() ? there : found;
}

}  // namespace

RandomUiDriver::RandomUiDriver(WindowDesk& desk, unsigned seed, const QString& folder, QStringList files)
    : m_desk(desk),
      m_folder(folder),
      m_files(std::move(files)),
      m_choice(seed),
      m_driver(m_choice, [this](const QString& what) { tell(what); }) {}

void RandomUiDriver::act(int times) {
  m_left = times;
  m_acting = true;
  QTimer::singleShot(0, this, &RandomUiDriver::next);
  while (m_left > 0) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  m_acting = false;
  for (int i = 0; i < 20; ++i) {
    closeOthers();
    QCoreApplication::processEvents();
  }
}

void RandomUiDriver::next() {
  if (!m_acting) return;
  if (m_left == 0) {
    // The last thing done may wait for an answer.
    closeOthers();
    QTimer::singleShot(0, this, &RandomUiDriver::next);
    return;
  }
  --m_left;
  // Before anything is done: it may be a dialog that waits in a loop of its own, in which one goes on.
  QTimer::singleShot(m_choice.oneIn(8) ? m_choice.below(60) : 0, this, &RandomUiDriver::next);
  takeTime();
  one();
}

void RandomUiDriver::one() {
  QWidget* popup = QApplication::activePopupWidget();
  QWidget* modal = QApplication::activeModalWidget();
  if (auto* menu = qobject_cast<QMenu*>(popup)) return useMenu(*menu);
  if (popup != nullptr) return useAny(*popup);
  if (auto* files = qobject_cast<QFileDialog*>(modal)) return useFileDialog(*files);
  if (modal != nullptr) return useAny(*modal);
  const int what = m_choice.below(100);
  if (what < 15) return triggerAny();
  if (what < 25) return pressAnyKey();
  if (what < 26) return resizeWindow();
  QWidgetList others;
  for (QWidget* top : QApplication::topLevelWidgets()) {
    if (top->isVisible() && top->isWindow() && top != m_desk.window.get()) others << top;
  }
  useAny(others.isEmpty() || !m_choice.oneIn(3) ? *m_desk.window : *m_choice.of(others));
}

void RandomUiDriver::useMenu(QMenu& menu) {
  QList<QAction*> entries;
  for (QAction* entry : menu.actions()) {
    if (entry->isEnabled() && entry->isVisible() && !entry->isSeparator()) entries << entry;
  }
  if (entries.isEmpty() || m_choice.oneIn(4)) {
    tell("leave a menu");
    menu.close();
    return;
  }
  QAction* entry = m_choice.of(entries);
  tell("menu entry " + entry->text());
  menu.setActiveAction(entry);
  QTest::keyClick(&menu, entry->menu() != nullptr ? Qt::Key_Right : Qt::Key_Return);
}

void RandomUiDriver::useFileDialog(QFileDialog& dialog) {
  auto* name = dialog.findChild<QLineEdit*>("fileNameEdit");
  if (name == nullptr || m_choice.oneIn(2)) {
    tell("leave " + nameOf(dialog));
    dialog.reject();
    return;
  }
  const bool saves = dialog.acceptMode() == QFileDialog::AcceptSave;
  const QString path = saves ? m_folder + "/" + QString::number(m_choice.below(5)) : m_choice.of(m_files);
  tell("file " + path + " for " + nameOf(dialog));
  name->setText(path);
  QTest::keyClick(name, Qt::Key_Return);
}

void RandomUiDriver::useAny(QWidget& top) {
  const bool overlapped = &top != m_desk.window.get();
  const QWidgetList there = thingsIn(top);
  if (there.isEmpty() || (overlapped && m_choice.oneIn(15))) {
    tell("Escape in " + nameOf(top));
    QTest::keyClick(&top, Qt::Key_Escape);
    if (there.isEmpty() && overlapped && top.isVisible()) top.close();
    return;
  }
  m_at = m_choice.of(m_at == nullptr || m_choice.oneIn(3) ? there : near(there, *m_at));
  m_driver.use(*m_at);
}

void RandomUiDriver::triggerAny() {
  QList<QAction*> actions;
  for (QAction* action : m_desk.window->findChildren<QAction*>()) {
    const bool quits = action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_Q);
    const bool acts = !action->isSeparator() && action->menu() == nullptr && !quits;
    if (acts && action->isEnabled() && action->isVisible()) actions << action;
  }
  if (actions.isEmpty()) return;
  using Unsaved = views::DocumentDialogs::Unsaved;
  static constexpr std::array kUnsaved{Unsaved::Save, Unsaved::Discard, Unsaved::Cancel};
  m_desk.answers.unsaved = m_choice.of(kUnsaved);
  m_desk.answers.openPath = m_choice.oneIn(3) ? QString() : m_choice.of(m_files);
  m_desk.answers.savePath =
      m_choice.oneIn(3) ? QString() : m_folder + QStringLiteral("/saved-%1.json").arg(m_choice.below(4));
  QAction* action = m_choice.of(actions);
  tell("action " + action->objectName() + " " + action->text() + ", files \"" + m_desk.answers.openPath + "\" and \"" +
       m_desk.answers.savePath + "\"");
  action->trigger();
}

void RandomUiDriver::pressAnyKey() {
  static constexpr std::array kKeys{
      Qt::Key_Z,        Qt::Key_Y,      Qt::Key_Tab, Qt::Key_Space, Qt::Key_Left,  Qt::Key_Right,  Qt::Key_Up,
      Qt::Key_Down,     Qt::Key_Home,   Qt::Key_End, Qt::Key_Plus,  Qt::Key_Minus, Qt::Key_Escape, Qt::Key_Return,
      Qt::Key_Delete,   Qt::Key_Period, Qt::Key_C,   Qt::Key_V,     Qt::Key_F1,    Qt::Key_F5,     Qt::Key_F6,
      Qt::Key_PageDown, Qt::Key_1,      Qt::Key_3,   Qt::Key_5,     Qt::Key_7,     Qt::Key_0,      Qt::Key_Backspace};
  static constexpr std::array kHeld{Qt::NoModifier, Qt::ControlModifier, Qt::ShiftModifier};
  const Qt::Key key = m_choice.of(kKeys);
  const Qt::KeyboardModifier held = m_choice.of(kHeld);
  QWidget* keyboard = QApplication::focusWidget();
  if (keyboard == nullptr) keyboard = m_desk.window.get();
  tell("key " + QKeySequence(held | key).toString() + " in " + nameOf(*keyboard));
  QTest::keyClick(keyboard, key, held);
}

void RandomUiDriver::resizeWindow() {
  const QSize size(640 + m_choice.below(1300), 420 + m_choice.below(800));
  tell(QStringLiteral("resize to %1x%2").arg(size.width()).arg(size.height()));
  m_desk.window->resize(size);
}

void RandomUiDriver::closeOthers() {
  if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
  for (QWidget* top : QApplication::topLevelWidgets()) {
    if (top->isVisible() && top != m_desk.window.get()) top->close();
  }
}

void RandomUiDriver::tell(const QString& what) {
  m_last << what;
  if (m_last.size() > kRemembered) m_last.removeFirst();
  if (qEnvironmentVariableIsSet("P2_UI_DRIVER_VERBOSE")) std::fprintf(stderr, "%d %s\n", m_left, qPrintable(what));
}

void RandomUiDriver::takeTime() {
  const double now = workedSeconds();
  if (!m_last.isEmpty() && now - m_since > m_longest) {
    m_longest = now - m_since;
    m_longestOf = m_last.last();
  }
  m_since = now;
}

}  // namespace p2::test
