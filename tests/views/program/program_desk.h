// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <memory>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/program/program_perspective.h"
#include "views/program/rule_card.h"
#include "views/shell/session.h"
#include "views/stage/stage_view.h"
#include "views/widget_driver.h"

namespace p2::test {

/// The program perspective in a window of its own, for a class of tests to stand on.
class ProgramDesk {
 protected:
  static void prepare() { views::Theme::apply(views::Theme::Scheme::Light); }
  void open() {
    failOnWarnings();
    m_session = std::make_unique<views::Session>();
    m_view = shown<views::ProgramPerspective>(*m_session, {1200, 720});
    QVERIFY(m_view);
  }
  void close() {
    m_view.reset();
    m_session.reset();
  }
  template <class T>
  T* find(const char* name) {
    return &childOf<T>(*m_view, name);
  }
  QString rule() { return find<views::RuleCard>("ruleCard")->text(); }
  QString step() { return find<QLabel>("stepLabel")->text(); }
  views::StageView* stepper() { return find<views::StageView>("stepper"); }
  /// Two nodes of four devices, a program of three steps, and the keyboard on the stepper.
  void openExample() {
    m_session->reset(workspaceOf("node:2 gpu:4", "data=8", "data", "[[2,4]]"));
    QTRY_VERIFY(m_session->isCurrent());
    find<QCheckBox>("animate")->setChecked(false);
    type("node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather");
    QTRY_VERIFY(m_session->jobs().running().empty());
    QCOMPARE(step(), QString("before step 1 of 3"));
    // What has just been written may still have to be laid out, and what that makes room for after it.
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
    stepper()->setFocus();
  }
  void type(const QString& program) {
    auto* edit = find<QLineEdit>("programEdit");
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, program);
  }
  void clickDevice(Device device) {
    QTest::mouseClick(stepper(), Qt::LeftButton, {}, stepper()->rectOf(device).center().toPoint());
  }

  std::unique_ptr<views::Session> m_session;
  std::unique_ptr<views::ProgramPerspective> m_view;
};

}  // namespace p2::test
