// SPDX-License-Identifier: GPL-3.0-or-later
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

namespace {

/// Counts how often a widget is drawn.
class PaintCount : public QObject {
 public:
  int count = 0;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    count += event->type() == QEvent::Paint;
    return QObject::eventFilter(watched, event);
  }
};

}  // namespace

class TestComposedText : public QObject, ComposerDesk {
  Q_OBJECT
 private slots:
  static void initTestCase() { prepare(); }
  void init() { ProgramDesk::open(); }
  void cleanup() { close(); }

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

  // A menu takes the pointer from a line, which is drawn anew without its tint.
  void aMenuTakesTheHighlightAway() {
    openExample();
    test::moveMouseOver(*stepper(), stepper()->rect().center());
    QWidget* line = m_view->findChildren<QWidget*>("premise").first();
    test::moveMouseOver(*line, line->rect().center());
    QTRY_VERIFY(line->underMouse());
    PaintCount paints;
    line->installEventFilter(&paints);
    // What a window system sends when a menu takes the pointer: no hover event goes with it.
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(line, &leave);
    QVERIFY(!line->underMouse());
    QTRY_VERIFY(paints.count > 0);
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
};

QTEST_MAIN(TestComposedText)
#include "tst_composed_text.moc"
