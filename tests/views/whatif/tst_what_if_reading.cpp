// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

#include "views/whatif/marked_slider.h"
#include "views/whatif/points_model.h"
#include "views/whatif/what_if_desk.h"

using namespace p2;
using namespace p2::views;

/// What the page What if says, held against the figures next to it.
class TestWhatIfReading : public QObject, private test::WhatIfDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUpPage(); }
  void cleanup() { clearAway(); }

  // Ratios are in their order from 1:1 to 8:1, with the machine's own among them.
  void ratiosOfTheSpineAreInOrder() {
    auto* slider = find<MarkedSlider>("whatIf-spine");
    auto* box = find<QDoubleSpinBox>("whatIfBox-spine");
    QCOMPARE(slider->marks().first(), QString("1:1"));
    QCOMPARE(slider->marks().last(), QString("8:1"));
    QCOMPARE(slider->value(), slider->minimum());
    slider->setFocus();
    double before = 1;
    while (slider->value() < slider->maximum()) {
      QTest::keyClick(slider, Qt::Key_Right);
      QVERIFY2(box->value() > before, qPrintable(box->text()));
      before = box->value();
    }
    QCOMPARE(box->text(), QString("8:1"));
    QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("whatIfFinding")->text().startsWith("spine 8:1"), 60000);
    // Its own ratio is no change, whichever way it is reached.
    QTest::keyClick(slider, Qt::Key_Home);
    QVERIFY(!box->font().bold() && !find<QPushButton>("whatIfAdopt")->isEnabled());
    QTest::keyClick(box, Qt::Key_Up);
    QCOMPARE(box->text(), QString("2:1"));
    QTest::keyClick(box, Qt::Key_Down);
    QVERIFY(!box->font().bold() && !find<QPushButton>("whatIfAdopt")->isEnabled());
  }

  // What is said of the best plan agrees with the two times next to it.
  void wordsAboutTheBestAgreeWithTheTimes() {
    auto* table = find<QTableView>("whatIfPoints");
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 3 && m_session->jobs().running().empty(), 120000);
    int same = 0;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
      const QString kept = test::cellText(*table, row, PointsModel::Kept);
      const QString best = test::cellText(*table, row, PointsModel::Best);
      const QString plan = test::cellText(*table, row, PointsModel::BestThere);
      QVERIFY2(!plan.contains("tied"), qPrintable(plan));
      if (plan == "this plan") QCOMPARE(best, kept);
      same += plan == "this plan";
      if (plan.startsWith("no clear gain: ") && kept != best)
        QVERIFY2(plan.contains(" within the error of ±"), qPrintable(plan));
    }
    QVERIFY(same > 0);
  }

  // A part that is down is adopted as the machine's.
  void aFailedPartIsAdopted() {
    auto* down = find<QComboBox>("whatIfDown");
    down->setFocus();
    QTest::keyClick(down, Qt::Key_Down);
    QTest::mouseClick(find<QPushButton>("whatIfAdopt"), Qt::LeftButton);
    QCOMPARE(m_session->workspace()->system.disabled.size(), std::size_t{1});
    // The plan is searched for the machine with that part, and the list says what is down.
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().isCurrent() && m_session->planner().answer()->isComplete, 120000);
    QCOMPARE(m_session->planner().answer()->question.system.disabled, m_session->workspace()->system.disabled);
    QCOMPARE(down->currentIndex(), 0);
    QCOMPARE(down->currentText(),
             QString::fromStdString(m_session->workspace()->system.disabled.front() + ": down, as it is"));
    m_session->undoStack().undo();
    QVERIFY(m_session->workspace()->system.disabled.empty());
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().isCurrent() && m_session->jobs().running().empty(), 120000);
  }
};

QTEST_MAIN(TestWhatIfReading)
#include "tst_what_if_reading.moc"
