// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>

#include "views/program/program_desk.h"
#include "views/program/step_chips.h"

using namespace p2;
using namespace p2::views;

/// The composer of a program desk: its steps, its choices and what it says about them.
class ComposerDesk : protected test::ProgramDesk {
 protected:
  /// Types a program and waits until all is known of it.
  void compose(const QString& program) {
    openExample();
    type(program);
    settle();
  }

  void settle() {
    QTRY_VERIFY(m_session->jobs().running().empty());
    QCoreApplication::processEvents();
  }

  QString text() { return find<QLineEdit>("programEdit")->text(); }

  QString status() { return find<QLabel>("composerStatus")->text(); }

  QTableView* choices() { return find<QTableView>("nextSteps"); }

  StepChip* chip(int number) { return find<StepChip>(qPrintable(QString("chip%1").arg(number))); }

  void open() {
    QTest::mouseClick(find<QToolButton>("addStep"), Qt::LeftButton);
    QVERIFY(choices()->isVisible());
  }

  void click(const QModelIndex& index) {
    choices()->scrollTo(index);
    QTest::mouseClick(choices()->viewport(), Qt::LeftButton, {}, choices()->visualRect(index).center());
  }
};
