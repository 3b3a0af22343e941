// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QImage>
#include <QSignalSpy>
#include <QToolButton>
#include <QWheelEvent>

#include "views/cost/cost_desk.h"
#include "views/plot_items.h"

using namespace p2;
using namespace p2::views;

/// All programs as bars, by mouse and keys.
class TestCostPlot : public QObject, private test::CostDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void clickSelectsTheProgram();
  void doubleClickOpensTheProgram();
  void keysWalkAndSelect();
  void hoverTellsTheBar();
  void whiskersTellTheInterval();
  void zooms();
  void dragPans();
  void shiftAndDragZoomsIntoARectangle();
  void logarithmicAxisTakesNoStacks();
  void lowerBoundLabelKeepsOffTheBars();
};

void TestCostPlot::clickSelectsTheProgram() {
  openExample();
  const int bar = int(plot()->bars().size()) - 3;
  QTest::mouseClick(plot(), Qt::LeftButton, {}, middleOf(bar));
  QCOMPARE(m_session->placementIndex(), plot()->bars()[std::size_t(bar)].placement);
  QCOMPARE(m_session->programIndex(), plot()->bars()[std::size_t(bar)].program);
}

void TestCostPlot::doubleClickOpensTheProgram() {
  openExample();
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  QTest::mouseDClick(plot(), Qt::LeftButton, {}, middleOf(20));
  // QTest leaves the button down, which would make every later move a drag.
  QTest::mouseRelease(plot(), Qt::LeftButton, {}, middleOf(20));
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QString("programs"));
  QCOMPARE(m_session->programIndex(), plot()->bars()[20].program);
}

void TestCostPlot::keysWalkAndSelect() {
  openExample();
  plot()->setFocus();
  for (int i = 0; i < 8; ++i) QTest::keyClick(plot(), Qt::Key_Right);
  QTest::keyClick(plot(), Qt::Key_Left);
  QCOMPARE(find<QLabel>("costDetail")->text(), plot()->textOf(6));
  QCOMPARE(plot()->accessibleDescription(), plot()->textOf(6));
  QTest::keyClick(plot(), Qt::Key_Return);
  QCOMPARE(m_session->programIndex(), plot()->bars()[6].program);
  QCOMPARE(m_session->placementIndex(), plot()->bars()[6].placement);
}

void TestCostPlot::hoverTellsTheBar() {
  openExample();
  QTest::mouseMove(plot(), middleOf(30));
  QTRY_COMPARE(find<QLabel>("costDetail")->text(), plot()->textOf(30));
  QVERIFY(plot()->textOf(30).contains(QString::fromStdString(
      m_session->exploration()->placements[std::size_t(plot()->bars()[30].placement)].matrix.text())));
}

// Under the nccl model times have intervals: drawn over the bars and told where the mouse is; under paper there is
// none.
void TestCostPlot::whiskersTellTheInterval() {
  openExample();
  QTRY_VERIFY(!plot()->bars().empty());
  QVERIFY(plot()->whiskerOf(0).isNull());
  Workspace workspace = test::workspaceOf("dgx-h100:2", "data=16", "data");
  workspace.options.cost.model = "nccl";
  workspace.options.cost.algorithm = Algorithm::Auto;
  m_session->reset(std::move(workspace));
  QTRY_VERIFY(m_session->isCurrent() && !plot()->bars().empty());
  QTRY_VERIFY(plot()->exploration().workspace.options.cost.model == "nccl");
  const QLineF whisker = plot()->whiskerOf(0);
  QVERIFY(!whisker.isNull());
  QVERIFY(whisker.y2() < plot()->rectOf(0).top() && whisker.y1() > plot()->rectOf(0).top());
  QTest::mouseMove(plot(), middleOf(0));
  QTRY_VERIFY2(plot()->accessibleDescription().contains("–"), qPrintable(plot()->accessibleDescription()));
  // Where it is drawn moves until the numbers at the axes have their room.
  const auto isDrawn = [this] {
    const QImage drawn = plot()->grab().toImage();
    const QPoint end = (plot()->whiskerOf(0).p2() * drawn.devicePixelRatio()).toPoint();
    return drawn.pixelColor(end.x(), end.y() + 3).lightness() < 128;
  };
  QTRY_VERIFY(isDrawn());
}

void TestCostPlot::zooms() {
  openExample();
  m_view->setFocus();
  const double all = plot()->xAxis->range().size();
  QTest::keyClick(plot(), Qt::Key_Plus);
  const double keyed = plot()->xAxis->range().size();
  QVERIFY(keyed < all);
  const QPoint at = plot()->axisRect()->center();
  QWheelEvent wheel(at, plot()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(plot(), &wheel);
  QVERIFY(plot()->xAxis->range().size() < keyed);
  QTest::keyClick(plot(), Qt::Key_0);
  QCOMPARE(plot()->xAxis->range().size(), all);
  QTest::keyClick(plot(), Qt::Key_Minus);
  QCOMPARE(plot()->xAxis->range().size(), all);
}

void TestCostPlot::dragPans() {
  openExample();
  QTest::mouseClick(find<QToolButton>("zoom-inButton"), Qt::LeftButton);
  const QCPRange before = plot()->xAxis->range();
  const int selected = m_session->programIndex();
  const QPoint start = plot()->axisRect()->center();
  QTest::mousePress(plot(), Qt::LeftButton, {}, start);
  QTest::mouseMove(plot(), start + QPoint(40, 0));
  QTest::mouseMove(plot(), start + QPoint(80, 0));
  QTest::mouseRelease(plot(), Qt::LeftButton, {}, start + QPoint(80, 0));
  QVERIFY(plot()->xAxis->range().lower < before.lower);
  QVERIFY(qAbs(plot()->xAxis->range().size() - before.size()) < 1e-6);
  QCOMPARE(m_session->programIndex(), selected);
}

void TestCostPlot::shiftAndDragZoomsIntoARectangle() {
  openExample();
  const QRect left = QRectF(plot()->rectOf(10)).toAlignedRect();
  const QRect right = QRectF(plot()->rectOf(20)).toAlignedRect();
  const QPoint from(left.left(), plot()->axisRect()->top() + 20);
  const QPoint to(right.right(), plot()->axisRect()->bottom() - 20);
  QTest::mousePress(plot(), Qt::LeftButton, Qt::ShiftModifier, from);
  QTest::mouseMove(plot(), (from + to) / 2);
  QTest::mouseMove(plot(), to);
  QTest::mouseRelease(plot(), Qt::LeftButton, Qt::ShiftModifier, to);
  QVERIFY(plot()->xAxis->range().lower > 9 && plot()->xAxis->range().lower < 10);
  QVERIFY(plot()->xAxis->range().upper > 20 && plot()->xAxis->range().upper < 21);
}

void TestCostPlot::logarithmicAxisTakesNoStacks() {
  openExample();
  auto* stacked = find<QCheckBox>("stacked");
  QVERIFY(plot()->yAxis->scaleType() == QCPAxis::stLogarithmic);
  plot()->replot();
  // At 1, 2 and 5 of every decade, with their units.
  QVERIFY(plot()->yAxis->tickVectorLabels().contains("2 s"));
  QVERIFY(plot()->yAxis->tickVectorLabels().contains("5 s"));
  find<QCheckBox>("logarithmic")->click();
  const int entries = plot()->legend->itemCount();
  stacked->click();
  // The legend says what the stripes are.
  QCOMPARE(plot()->legend->itemCount(), entries + 1);
  plot()->replot();
  const QImage linear = plot()->grab().toImage();
  find<QCheckBox>("logarithmic")->click();
  QVERIFY(!stacked->isChecked());
  QVERIFY(!stacked->isEnabled());
  plot()->replot();
  QVERIFY(plot()->yAxis->scaleType() == QCPAxis::stLogarithmic);
  QVERIFY(plot()->grab().toImage() != linear);
  find<QCheckBox>("logarithmic")->click();
  QVERIFY(stacked->isEnabled());
}

// The time that no program can be below is written where no bar stands.
void TestCostPlot::lowerBoundLabelKeepsOffTheBars() {
  openExample();
  const auto check = [this] {
    plot()->replot();
    const QList<test::DrawnText> labels = test::drawnTexts(*plot(), "^≥ ");
    QVERIFY(!labels.isEmpty());
    for (const auto& [text, label] : labels) {
      QVERIFY(QRectF(plot()->rect()).contains(label));
      for (int bar = 0; bar < int(plot()->bars().size()); ++bar) QVERIFY(!plot()->rectOf(bar).intersects(label));
    }
  };
  check();
  find<QComboBox>("costOrder")->setCurrentIndex(1);
  check();
}

QTEST_MAIN(TestCostPlot)
#include "tst_cost_plot.moc"
