// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include "views/program/composer.h"
#include "views/program/next_steps_model.h"
#include "views/program/program_desk.h"
#include "views/program/step_chips.h"

using namespace p2;
using namespace p2::views;

class TestComposer : public QObject, test::ProgramDesk {
  Q_OBJECT

  using Kind = NextStepsModel::Kind;

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
  QString about() { return find<QLabel>("aboutStep")->text(); }
  StepChip* chip(int number) { return find<StepChip>(qPrintable(QString("chip%1").arg(number))); }
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
  void open() {
    QTest::mouseClick(find<QToolButton>("addStep"), Qt::LeftButton);
    QVERIFY(choices()->isVisible());
  }
  void click(const QModelIndex& index) {
    choices()->scrollTo(index);
    QTest::mouseClick(choices()->viewport(), Qt::LeftButton, {}, choices()->visualRect(index).center());
  }

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
    QCOMPARE(find<QLabel>("nextStepsPlace")->text(), QString("Next at the end"));
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

  void chipsAreDraggedRemovedAndUndone() {
    compose("node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather");
    const QString before = "ReduceScatter·node → AllReduce·node∥root → AllGather·node";
    StepChip* first = chip(1);
    const QPoint from = first->rect().center();
    const QPoint to = from + QPoint(chip(2)->geometry().center().x() - first->geometry().center().x() + 20, 0);
    QTest::mousePress(first, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, first->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(first, &move);
    QTest::mouseRelease(first, Qt::LeftButton, {}, from);
    settle();
    QCOMPARE(text(), QString("AllReduce·node∥root → ReduceScatter·node → AllGather·node"));
    chip(1)->setFocus();
    QTest::keyClick(chip(1), Qt::Key_Z, Qt::ControlModifier);
    settle();
    QCOMPARE(text(), before);
    chip(1)->setFocus();
    QTest::keyClick(chip(1), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    settle();
    QVERIFY(text().startsWith("AllReduce·node∥root"));
    chip(1)->setFocus();
    QTest::keyClick(chip(1), Qt::Key_Right, Qt::ControlModifier);
    settle();
    QCOMPARE(text(), before);
    QVERIFY(chip(2)->hasFocus());
    QTest::keyClick(chip(2), Qt::Key_Delete);
    settle();
    QCOMPARE(text(), QString("ReduceScatter·node → AllGather·node"));
    QTest::mouseClick(find<QToolButton>("removeChip2"), Qt::LeftButton);
    settle();
    QCOMPARE(text(), QString("ReduceScatter·node"));
  }

  void clickOnAChipShowsItsStep() {
    openExample();
    QSignalSpy asked(find<Composer>("composer"), &Composer::stepChosen);
    QTest::mouseClick(chip(3), Qt::LeftButton, {}, {12, chip(3)->height() / 2});
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].toInt(), 2);
    QCOMPARE(step(), QString("after step 3 of 3"));
  }

  void everyPairCanBeWalkedThrough() {
    compose("node:InsideGroup:AllReduce; node:InsideGroup:AllReduce");
    auto* next = find<QPushButton>("nextFinding");
    auto* problem = find<QLabel>("ruleProblem");
    QVERIFY(next->isVisible());
    QCOMPARE(next->text(), QString("1 of 96 ▸"));
    QSignalSpy emphasis(find<RuleCard>("ruleCard"), &RuleCard::emphasised);
    const QString first = problem->accessibleName();
    QTest::mouseClick(next, Qt::LeftButton);
    QCOMPARE(next->text(), QString("2 of 96 ▸"));
    QVERIFY(problem->accessibleName() != first);
    const auto shown = emphasis.last()[0].value<StageEmphasis>();
    QCOMPARE(shown.devices, test::devices({0, 1}));
    QCOMPARE(shown.rows.size(), 2u);
    QCOMPARE(shown.rows[0].second, 1);
    QTest::mouseClick(find<QToolButton>("previousFinding"), Qt::LeftButton);
    QCOMPARE(next->text(), QString("1 of 96 ▸"));
    QTest::mouseClick(find<QToolButton>("previousFinding"), Qt::LeftButton);
    QCOMPARE(next->text(), QString("96 of 96 ▸"));
  }

  void hintsCanBeTaken() {
    compose("root:InsideGroup:Broadcast");
    QVERIFY2(rule().contains("Broadcast would erase "), qPrintable(rule()));
    QVERIFY(find<QLabel>("ruleHint")->text().contains("make step 1 AllReduce over all devices"));
    QTest::mouseClick(find<QPushButton>("takeHint"), Qt::LeftButton);
    settle();
    QCOMPARE(text(), QString("AllReduce·root"));
    QVERIFY(!find<QPushButton>("takeHint")->isVisible());
  }

  void shortProgramsSayWhatIsMissing() {
    compose("node:InsideGroup:AllReduce");
    QCOMPARE(find<QPushButton>("nextFinding")->text(), QString("1 of 64 ▸"));
    // It can go on: no step has to be replaced.
    QVERIFY(!find<QPushButton>("takeHint")->isVisible());
    QTest::mouseClick(find<QPushButton>("nextFinding"), Qt::LeftButton);
    QCOMPARE(find<QLabel>("ruleProblem")->accessibleName(),
             QString("✗ device 0 lacks the parts of devices 4, 5, 6 and 7 in chunk 1"));
  }

  void textIsCompletedAndReadInEveryNotation() {
    compose("AllReduce.node -> AR.node||root");
    QCOMPARE(step(), QString("before step 1 of 2"));
    QCOMPARE(chip(2)->accessibleName(), QString("Step 2: AllReduce across nodes"));
    QCOMPARE(text(), QString("AllReduce.node -> AR.node||root"));
    auto* edit = find<QLineEdit>("programEdit");
    edit->selectAll();
    QTest::keyClicks(edit, "root:InsideGroup:AllR");
    auto* list = find<QAbstractItemView>("programCompletions");
    QVERIFY(list->isVisible() && list->model()->rowCount() >= 1);
    QTest::keyClick(edit, Qt::Key_Down);
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(!list->isVisible());
    settle();
    QCOMPARE(edit->text(), QString("root:InsideGroup:AllReduce"));
    QVERIFY(!find<QLabel>("programProblem")->isVisible());
    QTRY_VERIFY2(status().startsWith("✓ goal reached"), qPrintable(status()));
    edit->selectAll();
    QTest::keyClicks(edit, "RS AR AG");
    QVERIFY2(find<QLabel>("programProblem")->text().contains("2 ways"),
             qPrintable(find<QLabel>("programProblem")->text()));
  }

  void premisesPointAtTheirRows() {
    openExample();
    QSignalSpy emphasis(find<RuleCard>("ruleCard"), &RuleCard::emphasised);
    QVERIFY2(rule().contains("every member holds data: 8 chunks each"), qPrintable(rule()));
    QVERIFY2(rule().contains("every member holds the same chunks: {0…7} each"), qPrintable(rule()));
    QVERIFY2(rule().contains("no contribution is counted twice: {0} {1} {2} {3}"), qPrintable(rule()));
    QVERIFY2(rule().contains("8 ÷ 4 = 2"), qPrintable(rule()));
    QVERIFY2(rule().contains("d0: chunks 0,1 = Σ d0…d3"), qPrintable(rule()));
    QVERIFY2(rule().contains("= ¾ · "), qPrintable(rule()));
    const QList<QWidget*> lines = m_view->findChildren<QWidget*>("premise");
    QCOMPARE(lines.size(), 4);
    lines[1]->setFocus();
    QCOMPARE(emphasis.count(), 1);
    QCOMPARE(emphasis.last()[0].value<StageEmphasis>().rows.size(), 32u);
    lines[1]->clearFocus();
    QVERIFY(emphasis.last()[0].value<StageEmphasis>().rows.empty());
    // What the pointer lights up goes out when another window takes the pointer away.
    QTest::mouseMove(lines[1]);
    QTRY_COMPARE(emphasis.last()[0].value<StageEmphasis>().rows.size(), 32u);
    QWidget dialog;
    dialog.show();
    dialog.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTRY_VERIFY(emphasis.last()[0].value<StageEmphasis>().rows.empty());
  }

  // Rows are lit for what the pointer is on now, and for nothing else: not for the step, the program or the document
  // before.
  void noHighlightOutlivesItsStep() {
    openExample();
    QSignalSpy emphasis(find<RuleCard>("ruleCard"), &RuleCard::emphasised);
    const auto lit = [&emphasis] { return emphasis.last()[0].value<StageEmphasis>(); };
    const auto hover = [](QWidget& widget) { test::moveMouseOver(widget, widget.rect().center()); };
    hover(*stepper());
    hover(*m_view->findChildren<QWidget*>("premise")[1]);
    QTRY_VERIFY(emphasis.count() > 0 && lit().rows.size() == 32);
    // The next step has the same line for its own rows.
    QTest::keyClick(stepper(), Qt::Key_Right);
    QTest::keyClick(stepper(), Qt::Key_Right);
    QTRY_COMPARE(step(), QString("after step 2 of 3"));
    QVERIFY(lit().rows.size() != 32);
    hover(*stepper());
    QTRY_VERIFY(lit().rows.empty() && lit().devices.empty());
    // A walk through failing places ends with its program, and with its document.
    for (const bool otherDocument : {false, true}) {
      type("node:InsideGroup:ReduceScatter; node:InsideGroup:AllReduce");
      settle();
      auto* next = find<QPushButton>("nextFinding");
      QTRY_VERIFY(next->isVisible());
      QTest::mouseClick(next, Qt::LeftButton);
      QVERIFY(!lit().devices.empty());
      if (otherDocument) {
        m_session->reset(test::workspaceOf("node:2 gpu:2", "data=4", "data", "[[2,2]]"));
        QTRY_VERIFY(m_session->isCurrent());
      } else {
        type("node:InsideGroup:AllReduce");
      }
      settle();
      QVERIFY(lit().devices.empty() && lit().rows.empty());
    }
  }

  void coloursFollowTheScheme() {
    openExample();
    find<QToolButton>("addStep")->click();
    auto* line = qobject_cast<QLabel*>(m_view->findChildren<QWidget*>("premise").first());
    const QColor light = Theme::good();
    QVERIFY2(line->text().contains(light.name()), qPrintable(line->text()));
    Theme::apply(Theme::Scheme::Dark);
    QCoreApplication::processEvents();
    QVERIFY(Theme::good() != light);
    QVERIFY2(line->text().contains(Theme::good().name()), qPrintable(line->text()));
    Theme::apply(Theme::Scheme::Light);
  }

  void theModelIsSound() {
    compose("node:InsideGroup:ReduceScatter");
    QAbstractItemModelTester tester(choices()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    type("node:InsideGroup:AllReduce");
    settle();
    QCOMPARE(choices()->model()->rowCount(), 4);
  }
};

QTEST_MAIN(TestComposer)
#include "tst_composer.moc"
