// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include "support/warnings.h"
#include "tests/views/workload/training_steps.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/widget_driver.h"
#include "views/workload/workload_perspective.h"

namespace p2::test {

/// The workload perspective on a session, and what tests do with it by mouse and keys.
class WorkloadDesk {
 public:
  static void prepare() { views::Theme::apply(views::Theme::Scheme::Light); }

  template <class T>
  T* find(const char* name) const {
    return &childOf<T>(*view, name);
  }
  QString stated(const char* name) const { return find<QLabel>(name)->text(); }
  QTableView* ranking() const { return find<QTableView>("rankingTable"); }
  QTableView* entries() const { return find<QTableView>("entriesTable"); }
  std::string chosen() const { return session->workspace()->matrix.text(); }
  const Workload& workload() const { return *session->workspace()->workload; }

  void setUp() {
    failOnWarnings();
    QSettings().clear();
    session = std::make_unique<views::Session>();
    view = shown<views::WorkloadPerspective>(*session, {1400, 800});
    QVERIFY(view);
  }
  void clearAway() {
    view.reset();
    session.reset();
  }
  void open(Workspace workspace) {
    session->reset(std::move(workspace));
    QTRY_VERIFY(session->isCurrent());
    QTRY_COMPARE(ranking()->model()->rowCount(), 4);
    QTRY_VERIFY(session->jobs().running().empty());
    view->setFocus();
  }
  void selectEntry(int row) {
    QTest::mouseClick(entries()->viewport(), Qt::LeftButton, {},
                      entries()->visualRect(entries()->model()->index(row, 0)).center());
    QCOMPARE(entries()->currentIndex().row(), row);
  }

  std::unique_ptr<views::Session> session;
  std::unique_ptr<views::WorkloadPerspective> view;
};

}  // namespace p2::test
