// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QTableView>
#include <QTest>
#include <QWindow>

#include "tests/views/widget_driver.h"

namespace p2::test {

/// The hands of somebody in front of the window, and how often they have done something. One action each: a click, a
/// double click, a drag, a chord of keys, a text that is typed in one go (over what was there, Enter included), a turn
/// of the wheel until something hidden comes into sight, and answering a dialog of the desktop's for a file. What is
/// typed into has to be clicked first, and a menu is a click more than its entry.
class UiDriver {
 public:
  explicit UiDriver(QMainWindow& window) : m_window(window) {}

  [[nodiscard]] int actions() const { return m_actions; }
  /// Prints the actions of the test; it fails above so many.
  void checkAtMost(int actions) const {
    qInfo("%s: %d actions", QTest::currentTestFunction(), m_actions);
    QVERIFY2(m_actions <= actions, qPrintable(QString::number(m_actions)));
  }
  /// Something that a test cannot do by mouse and keys.
  void count(int actions) { m_actions += actions; }

  void key(int key, Qt::KeyboardModifiers modifiers = {}) {
    ++m_actions;
    QWidget* keyboard = QApplication::focusWidget();
    QTest::keyClick(keyboard != nullptr ? keyboard : &m_window, Qt::Key(key), modifiers);
  }
  void click(QWidget& widget) {
    bring(widget);
    ++m_actions;
    const bool box = qobject_cast<QCheckBox*>(&widget) != nullptr;
    QTest::mouseClick(&widget, Qt::LeftButton, {}, box ? QPoint(8, widget.height() / 2) : widget.rect().center());
  }
  /// An entry of a menu that is opened for it.
  void choose(QMenu& menu, QAction& action) {
    m_actions += 2;
    menu.popup(m_window.mapToGlobal(QPoint(40, 20)));
    test::chooseEntry(menu, action);
    menu.close();
  }
  void type(QLineEdit& field, const QString& text) {
    click(field);
    write(field, text);
  }
  void type(QAbstractSpinBox& box, const QString& text) {
    bring(box);
    ++m_actions;
    box.setFocus(Qt::MouseFocusReason);
    write(box, text);
  }
  /// By typing what it begins with.
  void choose(QComboBox& box, const QString& text) {
    bring(box);
    m_actions += 2;
    box.setFocus(Qt::MouseFocusReason);
    QTest::keyClicks(&box, text);
  }
  /// Double click, type, Enter.
  void typeIntoCell(QTableView& table, int row, int column, const QString& text) {
    m_actions += 2;
    const QPoint centre = table.visualRect(table.model()->index(row, column)).center();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, centre);
    QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, centre);
    auto* editor = table.findChild<QLineEdit*>(QStringLiteral("cellEditor"));
    if (editor == nullptr) qFatal("the cell is not to be edited");
    editor->selectAll();
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
    // The next one is another editor.
    if (!QTest::qWaitFor([&table] { return table.findChild<QLineEdit*>(QStringLiteral("cellEditor")) == nullptr; })) {
      qFatal("the cell stays open");
    }
  }
  void clickCell(QTableView& table, int row, int column, int fromLeft = -1) {
    ++m_actions;
    const QRect cell = table.visualRect(table.model()->index(row, column));
    const QPoint at = fromLeft < 0 ? cell.center() : QPoint(cell.left() + fromLeft, cell.center().y());
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, at);
  }
  void drag(const QWidget& from, const QWidget& to, QPoint at) {
    ++m_actions;
    QWindow* window = m_window.windowHandle();
    const QPoint begin = from.mapTo(&m_window, from.rect().center());
    const QPoint end = to.mapTo(&m_window, at);
    QTest::mousePress(window, Qt::LeftButton, {}, begin);
    QTest::mouseMove(window, (begin + end) / 2);
    QTest::mouseMove(window, end);
    QTest::mouseRelease(window, Qt::LeftButton, {}, end);
  }

 private:
  void write(QWidget& field, const QString& text) {
    ++m_actions;
    if (auto* line = qobject_cast<QLineEdit*>(&field)) line->selectAll();
    if (auto* box = qobject_cast<QAbstractSpinBox*>(&field)) box->selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
  }
  /// Scrolls to what is out of sight, as one has to.
  void bring(QWidget& widget) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    if (!widget.visibleRegion().isEmpty()) return;
    for (QWidget* above = widget.parentWidget(); above != nullptr; above = above->parentWidget()) {
      auto* area = qobject_cast<QScrollArea*>(above);
      if (area == nullptr) continue;
      ++m_actions;
      return area->ensureWidgetVisible(&widget);
    }
  }

  QMainWindow& m_window;
  int m_actions = 0;
};

}  // namespace p2::test
