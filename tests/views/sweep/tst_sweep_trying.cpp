// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

#include "views/common/figure_slider.h"
#include "views/sweep/sweep_desk.h"

using namespace p2;
using namespace p2::views;

namespace {

constexpr int kLong = 60'000;  // milliseconds for the whole atlas, without optimisation

}  // namespace

/// What is tried on the page by size beside its range: figures of links, the map, public measurements.
class TestSweepTrying : public QObject, private test::SweepDesk {
  Q_OBJECT

 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void sliderMovesTheCurve();
  void slidersApplyAsAnEdit();
  void mapChoosesToo();
  void mapRefusesNodes();
  void measuredPointsAppear();
  void otherGoalsAreNotMeasured();
  void whatIsMeasuredUnaskedIsSeen();
  void madeUpMachinesHaveNoMeasurements();
  void qualityShowsThreeBands();
};

void TestSweepTrying::sliderMovesTheCurve() {
  open("gcp-a100:4", "4,16", "0");
  find<QCheckBox>("sweepLinks")->click();
  auto* slider = find<FigureSlider>("bandwidth-1");
  QTRY_VERIFY(slider->isVisible());
  const Workspace before = *m_session->workspace();
  const double seconds = plot()->sweep()->points.back().best.seconds;
  slider->setFocus();
  QTest::keyClick(slider, Qt::Key_PageUp);
  QTRY_VERIFY(plot()->sweep()->points.back().best.seconds < seconds);
  QVERIFY(*m_session->workspace() == before);
  QVERIFY(find<QLabel>("sweepFinding")->text().startsWith("With other links: "));
  QVERIFY(slider->figure() > 270e9);
  QTest::mouseDClick(slider, Qt::LeftButton);
  QTRY_COMPARE(plot()->sweep()->points.back().best.seconds, seconds);
  // Many moves in a row end at the last one.
  for (int i = 0; i < 30; ++i) QTest::keyClick(slider, Qt::Key_Right);
  const double last = slider->figure();
  QTRY_COMPARE(plot()->sweep()->workspace.system.levels[1].interconnect.bandwidth, last);
  QTest::mouseClick(find<QPushButton>("resetLinks"), Qt::LeftButton);
  QTRY_COMPARE(plot()->sweep()->points.back().best.seconds, seconds);
  QVERIFY(!find<QPushButton>("resetLinks")->isEnabled());
}

void TestSweepTrying::slidersApplyAsAnEdit() {
  open("gcp-a100:4", "4,16", "0");
  find<QCheckBox>("sweepLinks")->click();
  auto* slider = find<FigureSlider>("latency-1");
  slider->setFocus();
  for (int i = 0; i < 10; ++i) QTest::keyClick(slider, Qt::Key_PageUp);
  QCOMPARE(slider->figure(), 1e-6);
  QTest::mouseClick(find<QPushButton>("applyLinks"), Qt::LeftButton);
  QCOMPARE(m_session->workspace()->system.levels[1].interconnect.latency, 1e-6);
  QVERIFY(!find<QPushButton>("applyLinks")->isEnabled());
  QCOMPARE(m_session->undoStack().count(), 1);
  m_session->undoStack().undo();
  QCOMPARE(m_session->workspace()->system.levels[1].interconnect.latency, 0.0);
}

void TestSweepTrying::mapChoosesToo() {
  open("gcp-a100:2", "data=8,model=4", "data");
  m_view->showMap(true);
  waitForMap();
  const SweepMap& shown = *map()->map();
  QCOMPARE(shown.placements.size(), m_session->exploration()->placements.size());
  QVERIFY(shown.placements.size() >= 2);
  const int row = int(shown.placements.size()) - 1;
  const QPoint at = map()->rectOf(row, 30).center().toPoint();
  QTest::mouseMove(map(), at);
  QTRY_COMPARE(find<QLabel>("sweepDetail")->text(), map()->textOf(row, 30));
  QTest::mouseClick(map(), Qt::LeftButton, {}, at);
  const SweepChoice& best = shown.at(std::size_t(row), 30).best;
  QCOMPARE(m_session->workspace()->matrix, best.matrix);
  QCOMPARE(m_session->workspace()->program, programText(*best.hierarchy, best.program));
  map()->setFocus();
  QTest::keyClick(map(), Qt::Key_Up);
  QTest::keyClick(map(), Qt::Key_Return);
  QCOMPARE(m_session->workspace()->matrix, shown.placements[std::size_t(row) - 1]);
}

void TestSweepTrying::mapRefusesNodes() {
  open("gcp-a100:2", "data=8,model=4", "data");
  m_view->showMap(true);
  waitForMap();
  choose("sweepOver", 1);
  auto* message = find<QLabel>("sweepMessage");
  QTRY_VERIFY2(message->isVisible() && message->text().contains("every number of nodes"), qPrintable(message->text()));
}

void TestSweepTrying::measuredPointsAppear() {
  open("dgx-a100:2", "16", "0");
  auto* tables = find<QComboBox>("measuredTable");
  QTRY_VERIFY(tables->isVisible());
  QTRY_VERIFY(plot()->measuredCount() > 5);
  QVERIFY2(tables->currentText().contains("2 nodes × 8"), qPrintable(tables->currentText()));
  plot()->replot();
  const int count = plot()->measuredCount();
  const QPointF at = plot()->pixelOfMeasured(count - 1);
  QVERIFY(plot()->axisRect()->rect().contains(at.toPoint()));
  QTest::mouseMove(plot(), at.toPoint());
  QTRY_VERIFY(find<QLabel>("sweepDetail")->text().startsWith("measured: "));
  tables->setFocus();
  QTest::keyClick(tables, Qt::Key_End);
  QCOMPARE(tables->currentText(), QString("no measurements"));
  QCOMPARE(plot()->measuredCount(), 0);
}

// Measured AllReduces do not lie over the curve of another collective.
void TestSweepTrying::otherGoalsAreNotMeasured() {
  open("dgx-a100:2", "16", "0");
  QTRY_VERIFY(plot()->measuredCount() > 5);
  Workspace workspace = *m_session->workspace();
  workspace.options.goal = goalFrom("AllToAll").value();
  m_session->reset(workspace);
  auto* nothing = find<QLabel>("measuredNothing");
  QTRY_VERIFY(nothing->isVisible());
  QCOMPARE(nothing->text(), QString("The published measurements are of AllReduce alone."));
  QTRY_COMPARE(plot()->measuredCount(), 0);
  workspace.options.goal = kAllReduceGoal;
  m_session->reset(workspace);
  QTRY_VERIFY(plot()->measuredCount() > 5);
}

// The closest machine was measured at three sizes, of which one is within the range that one begins with.
void TestSweepTrying::whatIsMeasuredUnaskedIsSeen() {
  open("dgx-h100:16", "16,8", "0");
  auto* tables = find<QComboBox>("measuredTable");
  QTRY_VERIFY(tables->isVisible());
  QTRY_VERIFY(plot()->measuredCount() >= 3);
  QVERIFY(tables->currentIndex() > 0);
}

void TestSweepTrying::madeUpMachinesHaveNoMeasurements() {
  open("node:3@1GB/s gpu:5@3GB/s", "15", "0");
  auto* nothing = find<QLabel>("measuredNothing");
  QTRY_VERIFY(nothing->isVisible());
  QVERIFY(nothing->text().startsWith("No published measurements for this machine"));
  QCOMPARE(plot()->measuredCount(), 0);
  QVERIFY(!find<QComboBox>("measuredTable")->isVisible());
}

void TestSweepTrying::qualityShowsThreeBands() {
  open("dgx-a100:2", "16", "0");
  QTest::mouseClick(find<QWidget>("qualityButton"), Qt::LeftButton);
  auto* bands = find<QTableWidget>("qualityBands");
  QTRY_VERIFY_WITH_TIMEOUT(bands->isVisible(), kLong);
  QCOMPARE(bands->rowCount(), 3);
  for (int row = 0; row < 3; ++row) {
    QVERIFY(!bands->item(row, 0)->text().isEmpty());
    QVERIFY2(bands->item(row, 2)->text().endsWith(" %"), qPrintable(bands->item(row, 2)->text()));
    QVERIFY(bands->item(row, 3)->text().endsWith(" %"));
  }
  QVERIFY(find<QLabel>("qualityFinding")->text().startsWith("On machines like this one"));
  const QString sizes = bands->item(2, 1)->text();
  QTest::mouseClick(find<QCheckBox>("onlyAllReduce"), Qt::LeftButton, {},
                    {8, find<QCheckBox>("onlyAllReduce")->height() / 2});
  QTRY_VERIFY_WITH_TIMEOUT(bands->item(2, 1)->text() != sizes, kLong);
  find<QDialog>("qualityDialog")->close();
}

QTEST_MAIN(TestSweepTrying)
#include "tst_sweep_trying.moc"
