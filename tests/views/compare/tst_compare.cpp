// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QComboBox>
#include <QMenu>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QToolButton>

#include "exporters/torchrun.h"
#include "runs/measured_program.h"
#include "views/common/player_bar.h"
#include "views/compare/compare_pane.h"
#include "views/compare/compare_view.h"
#include "views/compare/port_bars.h"
#include "views/placement/placement_perspective.h"
#include "views/program/program_desk.h"

namespace p2::test {

using views::CompareView;
using views::PortBars;

/// A|B in the programs, with mouse and keys.
class TestCompare : public QObject, private ProgramDesk {
  Q_OBJECT

  views::ComparePane& pane() { return *find<views::ComparePane>("comparePane"); }
  CompareView& both() { return pane().view(); }
  PortBars* ports(const char* name) { return find<PortBars>(name); }
  QString verdict() { return find<QLabel>("compareVerdict")->text(); }
  QString state(const char* side) { return find<QLabel>(side)->text(); }
  void settle() {
    QTRY_VERIFY(m_session->jobs().running().empty());
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
  }
  /// RS·AR·AG, the best program, beside the one AllReduce.
  void compareBest() {
    m_session->reset(workspaceOf("node:2 gpu:4", "data=8", "data", "[[2,4]]"));
    QTRY_VERIFY(m_session->isCurrent());
    settle();
    stepper()->setFocus();
    QTest::mouseClick(find<QToolButton>("compareButton"), Qt::LeftButton);
    settle();
    QTRY_VERIFY(!verdict().isEmpty());
  }
  void scrub(double share) {
    auto* scrubber = find<QSlider>("scrubber");
    scrubber->setValue(int(share * scrubber->maximum()));
  }

 private slots:
  void initTestCase() { prepare(); }
  void init() { open(); }
  void cleanup() { close(); }

  void theButtonAndItsKeySwitch() {
    compareBest();
    QVERIFY(pane().isVisible() && !stepper()->isVisible());
    QTest::keyClick(m_view.get(), Qt::Key_B, Qt::ControlModifier);
    QVERIFY(!pane().isVisible() && stepper()->isVisible());
    QCOMPARE(step(), QString("before step 1 of 3"));
    QTest::keyClick(m_view.get(), Qt::Key_B, Qt::ControlModifier);
    QVERIFY(pane().isVisible());
  }

  // On a node of rails one AllReduce is the best that there is: it is not held against itself.
  void theBestIsHeldAgainstAnother() {
    Workspace workspace = test::workspaceOf("dgx-h100:1", "data=8", "data");
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    m_session->reset(workspace);
    QTRY_VERIFY(m_session->isCurrent() && m_session->program() != nullptr);
    const auto& placement = *m_session->placement();
    const Program flat = singleProgram(*placement.hierarchy, workspace.options.goal);
    QVERIFY(placement.programs.size() > 1 && placement.programs[0].program == flat);
    QVERIFY(defaultRival(placement, workspace.options.goal, flat) == placement.programs[1].program);
    QVERIFY(defaultRival(placement, workspace.options.goal, placement.programs[1].program) == flat);
    PlacementResult single = placement;
    single.programs.resize(1);
    QVERIFY(defaultRival(single, workspace.options.goal, flat) == flat);
  }

  // Runs of both programs, as a torchrun script writes them, stand below the prediction.
  void measuredRunsAreShown() {
    compareBest();
    auto* label = find<QLabel>("compareMeasured");
    QVERIFY(!label->isVisible());
    const auto& placement = *m_session->placement();
    const auto measured = [&](const Program& program, double seconds) {
      MeasuredProgram one;
      one.system = m_session->workspace()->system.name;
      one.axes = recordedAxes(m_session->workspace()->axes);
      one.matrix = placement.matrix.text();
      one.program = programText(*placement.hierarchy, program);
      one.target = "torchrun";
      one.backend = "gloo";
      one.ranks = 8;
      one.bytes = Bytes(1 << 20);
      one.seconds = seconds;
      return one;
    };
    const Program flat = singleProgram(*placement.hierarchy, m_session->workspace()->options.goal);
    m_session->setMeasured({measured(m_session->program()->program, 2e-3), measured(flat, 3e-3)});
    QTRY_VERIFY(label->isVisible());
    QCOMPARE(label->text(), QString("Measured on torchrun (gloo, 8 ranks, 1.05 MB): A takes 2.00 ms, B 3.00 ms; A is "
                                    "1.50× as fast as B"));
    m_session->setMeasured({});
    QTRY_VERIFY(!label->isVisible());
  }

  void theWinnerIsTold() {
    compareBest();
    QVERIFY2(
        QRegularExpression("^A is [\\d.]+× as fast as B: .* against .*; through the busiest port of a node A sends "
                           ".*, B .*$")
            .match(verdict())
            .hasMatch(),
        qPrintable(verdict()));
    QVERIFY(find<QLabel>("compareTitleA")->text().contains("RS in node → AR across nodes → AG in node"));
    QVERIFY(find<QLabel>("compareTitleB")->text().contains("AR over all: "));
  }

  // One AllReduce as a ring and as a tree: between two nodes the ring sends 15/8 of the vector each way, the tree all
  // of it once. Each side has its own algorithm, and the document keeps its own.
  void aRingRacesTrees() {
    m_session->reset(workspaceOf("node:2@8GB/s gpu:8@270GB/s", "data=16", "data", "[[2,8]]"));
    QTRY_VERIFY(m_session->isCurrent());
    settle();
    const auto& programs = m_session->placement()->programs;
    const Program flat = singleProgram(*m_session->placement()->hierarchy, m_session->workspace()->options.goal);
    const auto listed = std::find_if(programs.begin(), programs.end(),
                                     [&flat](const ProgramResult& each) { return each.program == flat; });
    QVERIFY(listed != programs.end());
    m_session->select(m_session->placementIndex(), int(listed - programs.begin()));
    settle();
    QTest::mouseClick(find<QToolButton>("compareButton"), Qt::LeftButton);
    settle();
    QTRY_VERIFY(!verdict().isEmpty());
    const auto secondsOf = [&](const views::ComparedRun& run) { return views::contestantOf(run, "").seconds; };
    const double ring = secondsOf(pane().runs()->a);
    auto* side = find<QComboBox>("compareAlgorithmA");
    QCOMPARE(side->currentText(), QString("ring, as it is"));
    QVERIFY(side->findText("tree") > 0);
    side->setCurrentIndex(side->findText("tree"));
    emit side->activated(side->currentIndex());
    settle();
    QTRY_VERIFY(pane().runs() && pane().runs()->a.replay->cost.algorithm == Algorithm::Tree);
    QVERIFY(std::abs(ring / secondsOf(pane().runs()->a) - 15 / 8.0) < 0.01);
    QVERIFY(pane().runs()->b.replay->cost.algorithm == Algorithm::Ring);
    QVERIFY2(find<QLabel>("compareTitleA")->text().endsWith(", tree"),
             qPrintable(find<QLabel>("compareTitleA")->text()));
    QVERIFY(find<QLabel>("compareTitleB")->text().endsWith(", ring"));
    QVERIFY(m_session->workspace()->options.cost.algorithm == Algorithm::Ring);
    side->setCurrentIndex(0);
    emit side->activated(0);
    settle();
    QTRY_VERIFY(pane().runs());
    QCOMPARE(secondsOf(pane().runs()->a), ring);
  }

  void stepByStepBothMove() {
    compareBest();
    find<QCheckBox>("animate")->setChecked(false);
    QCOMPARE(state("compareStateA"), QString("before step 1 of 3"));
    both().stage(0).setFocus();
    QTest::keyClick(&both().stage(0), Qt::Key_Right);
    QCOMPARE(state("compareStateA"), QString("after step 1 of 3"));
    QCOMPARE(state("compareStateB"), QString("⚑ done"));
    QCOMPARE(step(), QString("after step 1 of 3"));
    QTest::keyClick(&both().stage(0), Qt::Key_Right);
    QTest::keyClick(&both().stage(0), Qt::Key_Right);
    QCOMPARE(state("compareStateA"), QString("⚑ done"));
  }

  void inTrueTimeTheFasterRests() {
    compareBest();
    find<QCheckBox>("animate")->setChecked(true);
    QTest::mouseClick(find<QToolButton>("clockTime"), Qt::LeftButton);
    scrub(0.02);
    const QImage beganA = both().stage(0).grab().toImage();
    const QImage beganB = both().stage(1).grab().toImage();
    scrub(0.4);
    QVERIFY(both().stage(0).grab().toImage() != beganA);
    QVERIFY(both().stage(1).grab().toImage() != beganB);
    // The last piece is run by the slower alone.
    const int pieces = both().race().pieces();
    auto* scrubber = find<QSlider>("scrubber");
    scrubber->setValue((pieces - 1) * scrubber->pageStep() + 20);
    QCOMPARE(state("compareStateA"), QString("⚑ done"));
    QVERIFY(state("compareStateB").startsWith("step 1 of 1"));
    const QImage restsA = both().stage(0).grab().toImage();
    const QImage runsB = both().stage(1).grab().toImage();
    scrubber->setValue((pieces - 1) * scrubber->pageStep() + 120);
    QCOMPARE(both().stage(0).grab().toImage(), restsA);
    QVERIFY(both().stage(1).grab().toImage() != runsB);
    QVERIFY(step().startsWith("at "));
  }

  void countersGrowToWhatIsPriced() {
    compareBest();
    QTest::mouseClick(find<QToolButton>("clockTime"), Qt::LeftButton);
    const auto runs = pane().runs();
    for (const char* name : {"portsA", "portsB"}) {
      PortBars* bars = ports(name);
      QVERIFY(!bars->rows().empty());
      for (std::size_t row = 0; row < bars->rows().size(); ++row) {
        double before = -1;
        for (double share = 0; share <= 1; share += 0.02) {
          scrub(share);
          QVERIFY(bars->bytes(row) >= before);
          before = bars->bytes(row);
        }
        scrub(1);
        QCOMPARE(bars->bytes(row), bars->rows()[row].counter.total());
        scrub(0);
        QCOMPARE(bars->bytes(row), 0.0);
      }
    }
    // The second step of A and the only one of B are busiest between the nodes.
    QCOMPARE(ports("portsA")->rows()[0].counter.total(), runs->a.replay->facts[1].cost->linkBytes.value());
    QCOMPARE(ports("portsB")->rows()[0].counter.total(), runs->b.replay->facts[0].cost->linkBytes.value());
    scrub(1);
    QVERIFY(ports("portsA")->text().contains("busiest port of a node"));
  }

  void zoomIsTheSameOnBothSides() {
    compareBest();
    // A pixel more of room on one side fits a little more.
    const auto equal = [this] {
      const double ratio = both().stage(1).zoom() / both().stage(0).zoom();
      return ratio > 0.97 && ratio < 1.03;
    };
    const double fitted = both().stage(1).zoom();
    both().stage(0).setFocus();
    for (int press = 0; press < 3; ++press) QTest::keyClick(&both().stage(0), Qt::Key_Plus);
    QVERIFY(both().stage(1).zoom() > 1.5 * fitted);
    QVERIFY(equal());
    // The same devices are seen.
    const QRectF seen(both().stage(0).rect());
    QCOMPARE(seen.contains(both().stage(0).rectOf(Device(0)).center()),
             seen.contains(both().stage(1).rectOf(Device(0)).center()));
    QTest::keyClick(&both().stage(1), Qt::Key_0);
    QVERIFY(equal());
    QCOMPARE(both().stage(1).zoom(), fitted);
  }

  void aProgramIsPinnedByTheRightButton() {
    compareBest();
    auto* table = find<QTableView>("programTable");
    const int before = m_session->programIndex();
    const QPoint at = table->visualRect(table->model()->index(2, 0)).center();
    QTest::mouseClick(table->viewport(), Qt::RightButton, {}, at);
    QCOMPARE(m_session->programIndex(), before);
    emit table->customContextMenuRequested(at);
    auto* menu = find<QMenu>("programRowMenu");
    menu->findChild<QAction*>("pinProgramAction")->trigger();
    settle();
    QVERIFY(m_session->pinned().has_value());
    const auto& pinned = m_session->placement()->programs[2].program;
    QVERIFY(m_session->pinned()->program == pinned);
    QVERIFY(pane().runs()->b.replay->program == pinned);
    menu->close();
    // Another program on the left is compared with the same one.
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(3, 0)).center());
    settle();
    QTRY_VERIFY(pane().runs());
    QVERIFY(pane().runs()->a.replay->program == m_session->placement()->programs[3].program);
    QVERIFY(pane().runs()->b.replay->program == pinned);
  }

  void aPlacementIsPinnedToo() {
    m_session->reset(workspaceOf("node:2 gpu:4", "data=4,model=2", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    views::PlacementPerspective placements(*m_session);
    QSignalSpy wanted(&placements, &views::Perspective::perspectiveWanted);
    placements.resize(1200, 700);
    placements.show();
    auto& table = childOf<QTableView>(placements, "placementsTable");
    int other = -1;
    for (int row = 0; row < table.model()->rowCount(); ++row) {
      if (row != table.currentIndex().row()) other = row;
    }
    const QPoint at = table.visualRect(table.model()->index(other, 2)).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, table.viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(table.viewport(), &event);
    auto& menu = childOf<QMenu>(placements, "placementRowMenu");
    menu.findChild<QAction*>("pinPlacementAction")->trigger();
    menu.close();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].toString(), QString(views::kProgramsPage));
    settle();
    QTRY_VERIFY(pane().runs());
    const auto runs = pane().runs();
    QVERIFY(runs->a.replay->placement.matrix().text() != runs->b.replay->placement.matrix().text());
    QVERIFY(!verdict().isEmpty());
  }

  void aWrongProgramLosesByName() {
    compareBest();
    QTest::keyClick(m_view.get(), Qt::Key_B, Qt::ControlModifier);
    type("node:InsideGroup:ReduceScatter");
    settle();
    QTest::keyClick(m_view.get(), Qt::Key_B, Qt::ControlModifier);
    settle();
    QTRY_VERIFY(verdict().startsWith("A does not reach its goal"));
    QVERIFY2(verdict().contains("B does, in "), qPrintable(verdict()));
  }

  void narrowWindowsStack() {
    compareBest();
    const auto places = [this] {
      const auto at = [this](std::size_t side) { return both().stage(side).mapTo(&both(), QPoint()); };
      return std::pair(at(0), at(1));
    };
    both().resize(900, 600);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCOMPARE(places().first.y(), places().second.y());
    m_view->resize(700, 720);
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
    QVERIFY2(both().width() < 600, qPrintable(QString::number(both().width())));
    QVERIFY(places().second.y() > places().first.y());
  }

  void whatIsPinnedGoesWithTheDocument() {
    compareBest();
    m_session->pin(views::PinnedRun{m_session->placement()->matrix, m_session->program()->program});
    QVERIFY(m_session->pinnedPlacement() >= 0);
    // Nor is it compared with other axes, whose matrix means another placement.
    Workspace renamed = *m_session->workspace();
    renamed.axes[0].name = "stages";
    m_session->edit("rename", renamed);
    QTRY_VERIFY(m_session->isCurrent());
    QCOMPARE(m_session->pinnedPlacement(), -1);
    m_session->undoStack().undo();
    QTRY_VERIFY(m_session->isCurrent() && m_session->pinnedPlacement() >= 0);
    m_session->reset(workspaceOf("node:4 gpu:2", "data=8", "data"));
    QVERIFY(!m_session->pinned());
    QTRY_VERIFY(m_session->isCurrent());
    settle();
    QTRY_VERIFY(pane().runs());
  }
};

}  // namespace p2::test

using p2::test::TestCompare;
QTEST_MAIN(TestCompare)
#include "tst_compare.moc"
