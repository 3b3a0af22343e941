// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <cmath>

#include "views/common/program_notation.h"
#include "views/program/program_desk.h"

using namespace p2;
using namespace p2::views;

class TestProgramPerspective : public QObject, test::ProgramDesk {
  Q_OBJECT
 private slots:
  static void initTestCase() { prepare(); }
  void init() { open(); }
  void cleanup() { close(); }
  void emptyPageLeadsToWhereItIsMended();
  void rowSelectsTheProgramEverywhere();
  void wrongNamesAreExplainedInline();
  void wrongProgramsAreShownWhereTheyFail();
  void clickBringsTheSelectionBack();
  void typingLeavesTheSelection();
  void whatIsTypedOutlivesOtherPrices();
  void theBestIsComparedWithTheLowerBound();
  void filterNarrowsTheList();
  void anotherPlacementIsShown();
  void controlsCanBeReachedAndAreNamed();
};

void TestProgramPerspective::emptyPageLeadsToWhereItIsMended() {
  Workspace wrong = test::workspaceOf("node:2 gpu:4", "data=8", "data");
  wrong.axes[0].size = 7;
  m_session->reset(wrong);
  QTRY_VERIFY(m_session->problem());
  QTRY_VERIFY(find<QPushButton>("emptyButton")->isVisible());
  QCOMPARE(find<QLabel>("emptyText")->text().toStdString(), m_session->problem()->text());
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QString("placements"));
  wrong.system.levels[0].count = 0;
  m_session->reset(wrong);
  QTRY_VERIFY(m_session->problem().has_value() && m_session->problem()->where.part.starts_with("/system"));
  QTRY_COMPARE(find<QPushButton>("emptyButton")->text(), QString("Go to the system"));
  QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
  QCOMPARE(wanted.last()[0].toString(), QString("system"));
}

void TestProgramPerspective::rowSelectsTheProgramEverywhere() {
  openExample();
  auto* table = find<QTableView>("programTable");
  const QRect cell = table->visualRect(table->model()->index(5, 0));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
  QCOMPARE(m_session->programIndex(), 5);
  QTest::keyClick(table, Qt::Key_Down);
  QCOMPARE(m_session->programIndex(), 6);
  QCOMPARE(find<QLineEdit>("programEdit")->text(),
           typedNotation(*m_session->placement()->hierarchy, m_session->program()->program));
  m_session->select(m_session->placementIndex(), 0);
  QCOMPARE(table->currentIndex().row(), 0);
}

void TestProgramPerspective::wrongNamesAreExplainedInline() {
  openExample();
  type("node:InsideGroup:ReduceScatter; gpus:InsideGroup:AllReduce");
  auto* problem = find<QLabel>("programProblem");
  QVERIFY(problem->isVisible());
  QVERIFY2(problem->text().contains("step 2") && problem->text().contains("\"gpus\""), qPrintable(problem->text()));
}

void TestProgramPerspective::wrongProgramsAreShownWhereTheyFail() {
  openExample();
  type("node:InsideGroup:ReduceScatter; root:InsideGroup:AllReduce");
  QTRY_COMPARE(step(), QString("step 2 of 2 fails"));
  QVERIFY2(rule().contains("does not hold: every member holds the same chunks"), qPrintable(rule()));
  QVERIFY(find<QLabel>("programProblem")->text().contains("step 2: device 0 holds chunk 0 but device 1 does not"));
  clickDevice(Device(0));
  QCOMPARE(find<QLabel>("deviceText")->text(), QString("holds 2 of 8 chunks, each summed over 4 of 8 devices"));
}

void TestProgramPerspective::clickBringsTheSelectionBack() {
  openExample();
  type("root:InsideGroup:Reduce");
  QTRY_VERIFY(find<QLabel>("programProblem")->text().contains("Not finished"));
  emit m_session->explorationChanged();
  QCOMPARE(find<QLineEdit>("programEdit")->text(), QString("root:InsideGroup:Reduce"));
  auto* table = find<QTableView>("programTable");
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->currentIndex()).center());
  QTRY_COMPARE(find<QLineEdit>("programEdit")->text(),
               typedNotation(*m_session->placement()->hierarchy, m_session->program()->program));
  QTRY_VERIFY(!find<QLabel>("programProblem")->isVisible());
}

void TestProgramPerspective::typingLeavesTheSelection() {
  openExample();
  const int chosen = m_session->programIndex();
  type("root:InsideGroup:AllReduce");
  QTRY_COMPARE(step(), QString("before step 1 of 1"));
  QVERIFY(!find<QLabel>("programProblem")->isVisible());
  // What is chosen stays; the draft is a row of its own.
  QCOMPARE(m_session->programIndex(), chosen);
  QCOMPARE(find<QTableView>("programTable")->currentIndex().row(), chosen);
  auto* draft = find<QAbstractButton>("draftRow");
  QVERIFY(draft->isVisible() && draft->isChecked());
  QTRY_VERIFY2(draft->accessibleDescription().contains("goal reached"), qPrintable(draft->accessibleDescription()));
  QVERIFY(draft->accessibleName().contains("AllReduce over all devices"));
  auto* table = find<QTableView>("programTable");
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->currentIndex()).center());
  QTRY_VERIFY(!step().endsWith("of 1"));
  QVERIFY(draft->isVisible() && !draft->isChecked());
  QTest::mouseClick(draft, Qt::LeftButton);
  QTRY_COMPARE(step(), QString("before step 1 of 1"));
}

// Another size, another price; the programs are those they were.
void TestProgramPerspective::whatIsTypedOutlivesOtherPrices() {
  openExample();
  const QString typed = "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
  const auto priceAnew = [this](double bytes) {
    Workspace next = *m_session->workspace();
    next.options.cost.bytes = Bytes(bytes);
    m_session->edit("Change the bytes", next);
    QTRY_VERIFY(m_session->isCurrent() && m_session->jobs().running().empty());
  };
  auto* edit = find<QLineEdit>("programEdit");
  priceAnew(1e6);
  QCOMPARE(edit->text(), typed);
  QVERIFY(find<QAbstractButton>("draftRow")->isVisible() && find<QAbstractButton>("draftRow")->isChecked());
  // What is no program yet stands there as it was left.
  type("node:InsideGroup:Red");
  priceAnew(1e3);
  QCOMPARE(edit->text(), QString("node:InsideGroup:Red"));
  QTest::keyClicks(edit, "uceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather");
  QTRY_VERIFY(m_session->jobs().running().empty());
  QVERIFY2(find<QLabel>("composerStatus")->text().contains("goal reached"),
           qPrintable(find<QLabel>("composerStatus")->text()));
  // A document that asks the same is another one all the same.
  const Workspace same = *m_session->workspace();
  m_session->reset(same);
  QTRY_VERIFY(m_session->isCurrent() && m_session->jobs().running().empty());
  QVERIFY(!find<QAbstractButton>("draftRow")->isVisible());
  QTRY_COMPARE(edit->text(),
               QString::fromStdString(programText(*m_session->placement()->hierarchy, m_session->program()->program)));
  type(typed);
  QTRY_VERIFY(find<QAbstractButton>("draftRow")->isVisible());
  // Programs of another place are others.
  m_session->reset(test::workspaceOf("node:4 gpu:2", "data=8", "data", "[[4,2]]"));
  QTRY_VERIFY(m_session->isCurrent() && m_session->jobs().running().empty());
  QVERIFY(!find<QAbstractButton>("draftRow")->isVisible());
}

void TestProgramPerspective::theBestIsComparedWithTheLowerBound() {
  openExample();
  const auto* limit = find<QLabel>("programLimit");
  const PlacementResult& shown = m_session->exploration()->placements[std::size_t(m_session->placementIndex())];
  const double times = shown.bestSeconds / shown.limit.seconds;
  QVERIFY(times > 1);
  const QString stated = isAtLowerBound(shown.bestSeconds, shown.limit)
                             ? QString("Within %1 % of the lower bound").arg(std::ceil(100 * (times - 1)))
                             : QString("The best takes %1× the lower bound").arg(times, 0, 'f', 2);
  QVERIFY2(limit->text().contains(stated), qPrintable(limit->text()));
  QCOMPARE(limit->text().contains("nothing much faster exists"), isAtLowerBound(shown.bestSeconds, shown.limit));
  QVERIFY2(limit->toolTip().contains("Latencies") && limit->toolTip().contains("every node to "),
           qPrintable(limit->toolTip()));
}

void TestProgramPerspective::filterNarrowsTheList() {
  openExample();
  auto* filter = find<QLineEdit>("programFilter");
  auto* table = find<QTableView>("programTable");
  const int all = table->model()->rowCount();
  QTest::keyClick(m_view.get(), Qt::Key_F, Qt::ControlModifier);
  QVERIFY(filter->hasFocus());
  QTest::keyClicks(filter, "Broadcast");
  QVERIFY(table->model()->rowCount() > 0 && table->model()->rowCount() < all);
  QVERIFY(find<QLabel>("programCount")->text().contains(QString("of the %1 listed").arg(all)));
}

void TestProgramPerspective::anotherPlacementIsShown() {
  m_session->reset(test::workspaceOf("gcp-a100:2", "data=8,model=4", "data"));
  QTRY_VERIFY(m_session->isCurrent());
  for (int placement = 0; placement < int(m_session->exploration()->placements.size()); ++placement) {
    m_session->select(placement);
    QCOMPARE(find<QTableView>("programTable")->model()->rowCount(), int(m_session->placement()->programs.size()));
    QTRY_VERIFY(step().endsWith(QString("of %1").arg(m_session->program()->program.size())));
  }
}

void TestProgramPerspective::controlsCanBeReachedAndAreNamed() {
  openExample();
  for (const char* name :
       {"programFilter", "programTable", "programEdit", "firstButton", "backButton", "playButton", "forwardButton",
        "lastButton", "scrubber", "speed", "loop", "animate", "stepper", "addStep", "chip1"}) {
    auto* widget = find<QWidget>(name);
    QVERIFY2(widget->focusPolicy() & Qt::TabFocus, name);
    QVERIFY2(!widget->accessibleName().isEmpty(), name);
  }
}

QTEST_MAIN(TestProgramPerspective)
#include "tst_program_perspective.moc"
