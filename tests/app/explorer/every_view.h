// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QTemporaryDir>
#include <QTest>

#include "app/explorer/perspectives.h"
#include "app/explorer/window_desk.h"

namespace p2::test {

/// The window on each of its perspectives, and on each view that these have beside what they begin with.
class EveryView {
 public:
  /// A row for each, with the columns "page" and "action"; the latter leads to the view, and is empty for none.
  static void addRows() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("action");
    for (const explorer::PerspectiveRow& row : explorer::perspectives()) {
      const QString page = row.face().id;
      QTest::newRow(qPrintable(page)) << page << QString();
      for (const QString& action : row.place().views)
        QTest::addRow("%s, %s", qPrintable(page), qPrintable(action)) << page << action;
    }
  }

  /// Opens the window on an example, and waits until nothing is computed any more.
  void open(const QString& example, QSize size) {
    desk = std::make_unique<WindowDesk>(folder.path());
    desk->documents.openExample(example);
    desk->window->resize(size);
    QVERIFY(QTest::qWaitForWindowActive(desk->window.get()));
    settle();
  }
  /// Goes to a row of addRows().
  void show(const QString& page, const QString& action) {
    views::PerspectiveStack& stack = desk->window->perspectives();
    stack.showPage(stack.pageOf(page));
    if (!action.isEmpty()) desk->find<QAction>(qPrintable(action))->trigger();
    settle();
  }
  void settle() const {
    QTRY_VERIFY_WITH_TIMEOUT(desk->session.isCurrent() && desk->session.jobs().running().empty(), 60000);
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY_WITH_TIMEOUT(desk->session.jobs().running().empty(), 60000);
  }

  QTemporaryDir folder;
  std::unique_ptr<WindowDesk> desk;
};

}  // namespace p2::test
