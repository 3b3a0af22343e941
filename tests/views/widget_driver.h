// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <QWindow>
#include <memory>

namespace p2::test {

/// Double-clicks a cell, types over what it holds and presses Enter, as a user does.
inline void typeIntoCell(QTableView& table, int row, int column, const QString& text) {
  const QModelIndex index = table.model()->index(row, column);
  table.scrollTo(index);
  const QPoint centre = table.visualRect(index).center();
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, centre);
  QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, centre);
  const QString name = QStringLiteral("cellEditor");
  auto* editor = table.findChild<QLineEdit*>(name);
  QVERIFY(editor != nullptr);
  editor->selectAll();
  QTest::keyClicks(editor, text);
  QTest::keyClick(editor, Qt::Key_Return);
  QTRY_VERIFY(table.findChild<QLineEdit*>(name) == nullptr);
}

/// Moves the mouse over a point of a widget, which need not be on the (small) offscreen screen.
inline void moveMouseOver(const QWidget& widget, QPoint at) {
  QTest::mouseMove(widget.window()->windowHandle(), widget.mapTo(widget.window(), at));
}

/// Takes an entry of an open menu with keys: a click would close the menu where Qt 6.8 draws off the screen.
inline void chooseEntry(QMenu& menu, const QAction& entry) {
  for (int i = 0; i < menu.actions().size() && menu.activeAction() != &entry; ++i) QTest::keyClick(&menu, Qt::Key_Down);
  if (menu.activeAction() != &entry) qFatal("the menu has no such entry to be chosen");
  QTest::keyClick(&menu, Qt::Key_Return);
}

inline QString cellText(const QTableView& table, int row, int column) {
  return table.model()->index(row, column).data().toString();
}

/// The only child of that type and name.
template <class T>
T& childOf(const QWidget& parent, const char* name) {
  auto* child = parent.findChild<T*>(QLatin1String(name));
  if (child == nullptr) qFatal("there is no %s", name);
  return *child;
}

/// A perspective on the session, shown and active, so that keys reach it; null when no window can be activated.
template <class Perspective, class Session>
std::unique_ptr<Perspective> shown(Session& session, QSize size) {
  auto perspective = std::make_unique<Perspective>(session);
  perspective->resize(size);
  perspective->show();
  perspective->activateWindow();
  return QTest::qWaitForWindowActive(perspective.get()) ? std::move(perspective) : nullptr;
}

}  // namespace p2::test
