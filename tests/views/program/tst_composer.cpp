// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/views/program/composer_desk.h"
#include "views/program/composer.h"
#include "views/program/next_steps_model.h"
#include "views/program/program_desk.h"
#include "views/program/step_chips.h"

using namespace p2;
using namespace p2::views;

class TestComposer : public QObject, ComposerDesk {
  Q_OBJECT
 private slots:
  static void initTestCase() { prepare(); }

  void init() { ProgramDesk::open(); }

  void cleanup() { close(); }

  void plusShowsWhatCanFollow() {
    compose("node:InsideGroup:ReduceScatter");
    QVERIFY2(status().contains("at least 2 more steps"), qPrintable(status()));
    open();
    QVERIFY(choices()->hasFocus());
    QCOMPARE(choices()->model()->rowCount(), 4);
    QCOMPARE(choices()->model()->columnCount(), 5);
    const QModelIndex next = cell("AllReduce", "across nodes");
    QCOMPARE(kindOf(next), Kind::Possible);
    QSignalSpy previews(find<Composer>("composer"), &Composer::previewed);
    choices()->scrollTo(next);
    test::moveMouseOver(*choices()->viewport(), choices()->visualRect(next).center());
    QTRY_VERIFY(previews.count() > 0);
    const auto groups = previews.last()[0].value<std::vector<DeviceGroup>>();
    QCOMPARE(groups.size(), 4u);
    QCOMPARE(groups[0], test::devices({0, 4}));
    QVERIFY2(about().contains("AllReduce across nodes") && about().contains("d0: chunks 0,1 = Σ d0…d7"),
             qPrintable(about()));
    click(next);
    settle();
    QCOMPARE(text(), QString("ReduceScatter·node → AllReduce·node∥root"));
    QCOMPARE(chip(2)->accessibleName(), QString("Step 2: AllReduce across nodes"));
    QCOMPARE(step(), QString("after step 2 of 2"));
    const QModelIndex last = cell("AllGather", "inside each node");
    QCOMPARE(kindOf(last), Kind::Goal);
    click(last);
    settle();
    QVERIFY2(status().startsWith("✓ goal reached") && status().contains("programs"), qPrintable(status()));
  }

  // Who is quick sees what can follow as soon as it is known, and what they chose themselves stays chosen.
  void plusMayComeBeforeWhatCanFollow() {
    const QString whole = "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
    for (const bool moves : {false, true}) {
      compose(whole);
      type("node:InsideGroup:ReduceScatter");
      open();
      if (moves) QTest::keyClick(choices(), Qt::Key_Down);
      const QModelIndex chosen = choices()->currentIndex();
      settle();
      QCOMPARE(choices()->currentIndex(), moves ? chosen : cell("AllGather", "inside each node"));
      QTest::keyClick(choices(), Qt::Key_Escape);
    }
  }

  void plusAnswersForTheStepThatIsShown() {
    openExample();
    QTest::keyClick(stepper(), Qt::Key_Right);
    QCOMPARE(step(), QString("after step 1 of 3"));
    open();
    settle();
    QCOMPARE(find<QLabel>("nextStepsPlace")->text(), QString("Next after step 1, which is shown"));
    QCOMPARE(kindOf(cell("AllReduce", "across nodes")), Kind::Possible);
    click(cell("AllGather", "inside each node"));
    settle();
    QCOMPARE(text(), QString("ReduceScatter·node → AllGather·node → AllReduce·node∥root → AllGather·node"));
    QCOMPARE(step(), QString("after step 2 of 4"));
    QTest::keyClick(stepper(), Qt::Key_End);
    settle();
    // The last step cannot run: the next step takes its place. Before one that is not the last, it is inserted.
    QCOMPARE(find<QLabel>("nextStepsPlace")->text(), QString("In place of step 4, which cannot run"));
    type("node:InsideGroup:AllReduce; node:InsideGroup:AllReduce; node:Parallel(root):AllReduce");
    settle();
    QTRY_COMPARE(find<QLabel>("nextStepsPlace")->text(), QString("Before step 2, which cannot run"));
    type("node:InsideGroup:AllReduce");
    settle();
    QTRY_COMPARE(find<QLabel>("nextStepsPlace")->text(), QString("Next at the end"));
  }

  // What is said is about the shown program, also after the same document is opened again.
  void anotherDocumentIsSpokenOf() {
    compose("node:InsideGroup:AllReduce; node:InsideGroup:AllReduce");
    QTRY_COMPARE(status(), QString("✗ step 2 cannot run"));
    openExample();
    settle();
    QTRY_VERIFY2(status().startsWith("✓ goal reached"), qPrintable(status()));
  }

  void newStartsWithoutStepsAndIsNoError() {
    openExample();
    const QString before = "ReduceScatter·node → AllReduce·node∥root → AllGather·node";
    QTest::mouseClick(find<QToolButton>("newProgram"), Qt::LeftButton);
    settle();
    QVERIFY(text().isEmpty());
    QVERIFY(!find<QToolButton>("newProgram")->isEnabled());
    QVERIFY2(status().startsWith("Choose the first step"), qPrintable(status()));
    QVERIFY(find<QLabel>("programProblem")->isHidden());
    QVERIFY(choices()->isVisible());
    click(cell("AllReduce", "over all devices"));
    settle();
    QCOMPARE(text(), QString("AllReduce·root"));
    chip(1)->setFocus();
    QTest::keyClick(chip(1), Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(find<QToolButton>("addStep"), Qt::Key_Z, Qt::ControlModifier);
    settle();
    QCOMPARE(text(), before);
  }

  void aDraftSurvivesAnotherSystem() {
    openExample();
    type("node:InsideGroup:AllReduce; node:Parallel(root):AllReduce");
    settle();
    m_session->edit("Change the system", test::workspaceOf("node:3 gpu:4", "data=12", "data", "[[3,4]]"));
    QTRY_VERIFY(m_session->isCurrent());
    settle();
    QCOMPARE(text(), QString("node:InsideGroup:AllReduce; node:Parallel(root):AllReduce"));
    QCOMPARE(chip(2)->accessibleName(), QString("Step 2: AllReduce across nodes"));
    // One that has no such levels leaves a word.
    m_session->edit("Change the system", test::workspaceOf("gpu:8", "data=8", "data", "[[8]]"));
    QTRY_VERIFY(m_session->isCurrent());
    settle();
    QTRY_VERIFY2(find<QLabel>("programProblem")->text().contains("Your draft AllReduce·node → AllReduce·node∥root"),
                 qPrintable(find<QLabel>("programProblem")->text()));
  }

  void keysAloneAddAStep() {
    compose("node:InsideGroup:ReduceScatter");
    find<QToolButton>("addStep")->setFocus();
    QTest::keyClick(find<QToolButton>("addStep"), Qt::Key_Space);
    QVERIFY(choices()->hasFocus());
    choices()->setCurrentIndex(cell("AllReduce", "inside each node"));
    QTest::keyClick(choices(), Qt::Key_Down);
    QVERIFY(!about().isEmpty());
    choices()->setCurrentIndex(cell("AllReduce", "across nodes"));
    QTest::keyClick(choices(), Qt::Key_Return);
    settle();
    QCOMPARE(text(), QString("ReduceScatter·node → AllReduce·node∥root"));
    QTest::keyClick(choices(), Qt::Key_Escape);
    QVERIFY(!choices()->isVisible());
    QVERIFY(find<QToolButton>("addStep")->hasFocus());
  }

  void forbiddenStepsSayWhyAndCanBeTried() {
    compose("node:InsideGroup:ReduceScatter");
    open();
    const QModelIndex wrong = cell("AllReduce", "over all devices");
    QCOMPARE(kindOf(wrong), Kind::Forbidden);
    click(wrong);
    QCOMPARE(about(), QString("✗ AllReduce over all devices: device 0 holds chunk 0 but device 1 does not"));
    QCOMPARE(text(), QString("node:InsideGroup:ReduceScatter"));
    QTest::mouseClick(find<QPushButton>("doItAnyway"), Qt::LeftButton);
    settle();
    QCOMPARE(step(), QString("step 2 of 2 fails"));
    QVERIFY2(rule().contains("does not hold: every member holds the same chunks"), qPrintable(rule()));
    QVERIFY2(status().contains("step 2 cannot run"), qPrintable(status()));
    // Another one takes the place of what cannot run.
    click(cell("AllReduce", "across nodes"));
    settle();
    QCOMPARE(text(), QString("ReduceScatter·node → AllReduce·node∥root"));
  }

  // One node's first device sums with the other's, and no other: what the others hold of it is counted twice from then
  // on.
  void deadEndsNameWhatIsLost() {
    Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=8", "data", "[[2,4]]");
    workspace.options.rules = RuleSet::All;
    m_session->reset(workspace);
    QTRY_VERIFY(m_session->isCurrent());
    type("node:InsideGroup:ReduceScatter");
    settle();
    open();
    QCOMPARE(kindOf(cell("AllReduce", "across nodes, first devices only")), Kind::DeadEnd);
    const QAbstractItemModel* model = choices()->model();
    int dead = 0;
    for (int row = 0; row < model->rowCount(); ++row) {
      for (int column = 0; column < model->columnCount(); ++column) {
        const QModelIndex index = model->index(row, column);
        if (kindOf(index) != Kind::DeadEnd) continue;
        ++dead;
        const QString words = index.data(Qt::AccessibleTextRole).toString();
        QVERIFY2(words.contains("leads to a dead end: no further step brings device"), qPrintable(words));
      }
    }
    QVERIFY(dead > 0);
    QVERIFY2(status().contains(QString("%1 of them a dead end").arg(dead)), qPrintable(status()));
  }

  void theModelIsSound() {
    compose("node:InsideGroup:ReduceScatter");
    QAbstractItemModelTester tester(choices()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    type("node:InsideGroup:AllReduce");
    settle();
    QCOMPARE(choices()->model()->rowCount(), 4);
  }

 private:
  using Kind = NextStepsModel::Kind;

  QString about() { return find<QLabel>("aboutStep")->text(); }

  QModelIndex cell(const QString& collective, const QString& groups) {
    const QAbstractItemModel* model = choices()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
      if (model->headerData(row, Qt::Vertical, Qt::DisplayRole).toString() != groups) continue;
      for (int column = 0; column < model->columnCount(); ++column) {
        if (model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() == collective) {
          return model->index(row, column);
        }
      }
    }
    return {};
  }

  Kind kindOf(const QModelIndex& index) { return Kind(index.data(NextStepsModel::kKindRole).toInt()); }
};

QTEST_MAIN(TestComposer)
#include "tst_composer.moc"
