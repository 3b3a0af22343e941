// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

#include "tests/views/placement/placement_desk.h"
#include "views/placement/axes_model.h"
#include "views/placement/placements_model.h"
#include "views/placement/step_proposal.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;

/// The table of placements, driven by mouse and keys.
class TestPlacementsTable : public QObject, private test::PlacementDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void sortsBySelectedColumn();
  void filtersByKeyboard();
  void selectsRowsBothWays();
  void opensProgramsByEnterAndDoubleClick();
  void followsTheLinksBelowTheTable();
  void warnsWhatTheOtherAxesPay();
  void ranksByTheWholeStep();
  void aWorkloadOfOtherAxesRanksNothing();
  void needsNoScrollingSideways_data();
  void needsNoScrollingSideways();
  void theMapGetsTheRoom();
  void notesMoveNothing();
  void comparesAllRowsWithOne();
  void copiesRowsAndMatrices();
  void foldsAndUnfolds();

 private:
  void theGuardLeadsToTheWorkload() {
    QSignalSpy wanted(perspective.get(), &Perspective::perspectiveWanted);
    label("stepGuard").setFocus();
    QTest::keyClick(&label("stepGuard"), Qt::Key_Tab);
    QTest::keyClick(&label("stepGuard"), Qt::Key_Return);
    QTRY_COMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].toString(), QStringLiteral("workload"));
  }
  /// Ten AllReduces of 1 GiB over tensor.
  static Workload heavyStep(const std::vector<Axis>& axes) {
    WorkloadEntry entry;
    entry.name = "activations";
    entry.axes = {"tensor"};
    entry.bytes = std::int64_t{1} << 30;
    entry.count = 10;
    Workload workload;
    workload.axes = axes;
    workload.collectives = {entry};
    return workload;
  }
};

void TestPlacementsTable::sortsBySelectedColumn() {
  perspective->resize(3000, 760);
  QTRY_VERIFY(!placements().isColumnHidden(PlacementsModel::Programs));
  QHeaderView& header = *placements().horizontalHeader();
  const QPoint gain(header.sectionViewportPosition(PlacementsModel::Speedup) + 20, header.height() / 2);
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, gain);
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, gain);
  const QString top = cellText(placements(), 0, PlacementsModel::Speedup);
  const QString bottom = cellText(placements(), 4, PlacementsModel::Speedup);
  QVERIFY(top == "1.84×" ? bottom == "1.27×" : top == "1.27×" && bottom == "1.84×");
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, gain);
  QCOMPARE(cellText(placements(), 0, PlacementsModel::Speedup), bottom);
  QCOMPARE(selectedMatrix(), QStringLiteral("[[1,8],[2,1],[2,2]]"));
}

void TestPlacementsTable::filtersByKeyboard() {
  placements().setFocus();
  QTest::keyClick(&placements(), Qt::Key_F, Qt::ControlModifier);
  auto& filter = childOf<QLineEdit>(*perspective, "placementsFilter");
  QVERIFY(filter.hasFocus());
  QTest::keyClicks(&filter, "[[4,2]");
  QCOMPARE(placements().model()->rowCount(), 1);
  QCOMPARE(selectedMatrix(), QStringLiteral("[[1,8],[2,1],[2,2]]"));
  QTest::keyClicks(&filter, "xyz");
  QVERIFY(label("emptyText").isVisible());
  QCOMPARE(label("emptyText").text(), QStringLiteral("No placement matches \"[[4,2]xyz\"."));
  QTest::mouseClick(&childOf<QPushButton>(*perspective, "emptyButton"), Qt::LeftButton);
  QCOMPARE(placements().model()->rowCount(), 5);
  QCOMPARE(cellText(placements(), placements().currentIndex().row(), PlacementsModel::Matrix), selectedMatrix());
}

void TestPlacementsTable::selectsRowsBothWays() {
  const QModelIndex third = placements().model()->index(2, PlacementsModel::BestTime);
  QTest::mouseClick(placements().viewport(), Qt::LeftButton, {}, placements().visualRect(third).center());
  QCOMPARE(selectedMatrix(), cellText(placements(), 2, PlacementsModel::Matrix));
  QTest::keyClick(&placements(), Qt::Key_Down);
  QCOMPARE(selectedMatrix(), cellText(placements(), 3, PlacementsModel::Matrix));
  QVERIFY(label("placementRealisation").text().startsWith("The selected placement can be set up with: "));
  QVERIFY(label("placementRealisation").toolTip().contains("jax: "));
  session->select(session->exploration()->bestPlacement);
  QCOMPARE(placements().currentIndex().row(), 0);
}

void TestPlacementsTable::opensProgramsByEnterAndDoubleClick() {
  QSignalSpy wanted(perspective.get(), &Perspective::perspectiveWanted);
  placements().setFocus();
  QTest::keyClick(&placements(), Qt::Key_Return);
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QStringLiteral("programs"));
  const QPoint at = placements().visualRect(placements().model()->index(1, PlacementsModel::BestTime)).center();
  QTest::mouseClick(placements().viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(placements().viewport(), Qt::LeftButton, {}, at);
  QCOMPARE(wanted.count(), 2);
  QCOMPARE(selectedMatrix(), cellText(placements(), 1, PlacementsModel::Matrix));
}

void TestPlacementsTable::followsTheLinksBelowTheTable() {
  emit label("placementsSummary").linkActivated(QString::number(session->exploration()->defaultPlacement));
  QCOMPARE(cellText(placements(), placements().currentIndex().row(), PlacementsModel::Mark), QStringLiteral("◇"));
}

void TestPlacementsTable::warnsWhatTheOtherAxesPay() {
  QVERIFY(label("stepGuard").isVisible());
  QTRY_VERIFY(!placements().isColumnHidden(PlacementsModel::OtherAxes));
  open(heavyTensor());
  QTRY_VERIFY(
      label("stepGuard")
          .text()
          .startsWith("▲ The placements are ranked for data only. The best one makes tensor communicate across nodes"));
  QVERIFY(cellText(placements(), 0, PlacementsModel::OtherAxes).startsWith("▲ tensor 4.43×"));
  QVERIFY(placements().isColumnHidden(PlacementsModel::Step));
  theGuardLeadsToTheWorkload();
  axes().setFocus();
  axes().setCurrentIndex(axes().model()->index(1, AxesModel::Reduce));
  QTest::keyClick(&axes(), Qt::Key_Space);
  QTRY_VERIFY(label("stepGuard").isHidden());
  QVERIFY(placements().isColumnHidden(PlacementsModel::OtherAxes));
}

void TestPlacementsTable::ranksByTheWholeStep() {
  Workspace workspace = heavyTensor();
  workspace.workload = heavyStep(workspace.axes);
  open(workspace);
  const StepProposal proposal(*session);
  QTRY_VERIFY(label("stepGuard").text().contains("is best overall: 41.8 ms of communication per step"));
  QVERIFY(placements().isColumnHidden(PlacementsModel::OtherAxes));
  QVERIFY(!placements().isColumnHidden(PlacementsModel::Step));
  QCOMPARE(cellText(placements(), 0, PlacementsModel::Step), QStringLiteral("185 ms"));
  // Who has chosen nothing gets what is best for the whole step, which is no choice either.
  QTRY_COMPARE(selectedMatrix(), QStringLiteral("[[4,1],[1,8]]"));
  QVERIFY(session->workspace()->matrix.empty() && session->undoStack().isClean());
  label("stepGuard").setFocus();
  QTest::keyClick(&label("stepGuard"), Qt::Key_Tab);
  QTest::keyClick(&label("stepGuard"), Qt::Key_Tab);
  QTest::keyClick(&label("stepGuard"), Qt::Key_Return);
  QTRY_COMPARE(selectedMatrix(), QStringLiteral("[[1,4],[4,2]]"));
  session->undoStack().undo();
  QTRY_COMPARE(selectedMatrix(), QStringLiteral("[[4,1],[1,8]]"));
  Workspace without = *session->workspace();
  without.workload.reset();
  session->edit("Take the workload away", without);
  QTRY_VERIFY(!placements().isColumnHidden(PlacementsModel::OtherAxes));
  QTRY_COMPARE(selectedMatrix(), QStringLiteral("[[1,4],[4,2]]"));
}

/// The bytes of a workload are those of its own axes: of others nothing is said but what to do, and nothing proposed.
void TestPlacementsTable::aWorkloadOfOtherAxesRanksNothing() {
  Workspace workspace = heavyTensor();
  workspace.workload = heavyStep(workspace.axes);
  open(workspace);
  const StepProposal proposal(*session);
  QTRY_COMPARE(selectedMatrix(), QStringLiteral("[[4,1],[1,8]]"));
  Workspace others = *session->workspace();
  std::swap(others.axes[0].size, others.axes[1].size);
  session->edit("Exchange the sizes", others);
  QTRY_VERIFY2(label("stepGuard")
                   .text()
                   .startsWith("✗ the workload needs data = 4, and here it is 8; use the same size. See <a href"),
               qPrintable(label("stepGuard").text()));
  QTRY_VERIFY(placements().isColumnHidden(PlacementsModel::Step));
  theGuardLeadsToTheWorkload();
  session->undoStack().undo();
  QTRY_VERIFY(!placements().isColumnHidden(PlacementsModel::Step));
  QTRY_COMPARE(selectedMatrix(), QStringLiteral("[[4,1],[1,8]]"));
}

// At the widths that the window leaves on screens of 1440, 1280 and 1024 pixels, nothing is scrolled sideways.
void TestPlacementsTable::needsNoScrollingSideways_data() {
  QTest::addColumn<int>("width");
  QTest::addColumn<bool>("whole");
  for (const bool whole : {false, true}) {
    for (const int width : {1343, 1183, 927}) {
      QTest::addRow("%d %s", width, whole ? "whole step" : "other axes") << width << whole;
    }
  }
}
void TestPlacementsTable::needsNoScrollingSideways() {
  QFETCH(int, width);
  QFETCH(bool, whole);
  Workspace workspace = heavyTensor();
  if (whole) workspace.workload = heavyStep(workspace.axes);
  open(workspace);
  const int overlapped = whole ? PlacementsModel::Step : PlacementsModel::OtherAxes;
  QTRY_VERIFY(!placements().isColumnHidden(overlapped));
  perspective->resize(width, 760);
  QTRY_COMPARE(perspective->width(), width);
  QTRY_COMPARE(placements().horizontalScrollBar()->maximum(), 0);
  for (const int column : {PlacementsModel::Matrix, PlacementsModel::Where, PlacementsModel::BestTime}) {
    QVERIFY(!placements().isColumnHidden(column));
    QVERIFY(placements().columnWidth(column) > 0);
  }
  // Times are never cut short.
  QVERIFY(placements().columnWidth(PlacementsModel::BestTime) >=
          placements().fontMetrics().horizontalAdvance(cellText(placements(), 0, PlacementsModel::BestTime)));
  // What has folded away is said all the same.
  const QString tip = placements().model()->index(0, PlacementsModel::BestProgram).data(Qt::ToolTipRole).toString();
  for (const int column : {PlacementsModel::SingleTime, PlacementsModel::Speedup, PlacementsModel::Programs}) {
    QVERIFY2(tip.contains(cellText(placements(), 0, column)), qPrintable(tip));
  }
}

void TestPlacementsTable::theMapGetsTheRoom() {
  perspective->resize(1343, 760);
  QTRY_VERIFY(placements().horizontalScrollBar()->maximum() == 0);
  for (const int width : {927, 1343, 2000}) {
    perspective->resize(width, 760);
    QTRY_COMPARE(perspective->width(), width);
    const QWidget& panel = *devices().parentWidget();
    QTRY_VERIFY2(panel.width() * 100 >= width * 60, qPrintable(QString("%1 of %2").arg(panel.width()).arg(width)));
  }
}

// What is written beside the placements comes late and moves nothing.
void TestPlacementsTable::notesMoveNothing() {
  perspective->resize(1343, 760);
  open(heavyTensor());
  const auto places = [this] {
    QList<int> all{placements().width()};
    for (const int column :
         {PlacementsModel::Matrix, PlacementsModel::Where, PlacementsModel::BestTime, PlacementsModel::OtherAxes}) {
      all << placements().columnViewportPosition(column) << placements().columnWidth(column);
    }
    return all;
  };
  const QList<int> before = places();
  QTRY_VERIFY(cellText(placements(), 0, PlacementsModel::OtherAxes).startsWith("▲ tensor 4.43×"));
  QCOMPARE(places(), before);
}

void TestPlacementsTable::comparesAllRowsWithOne() {
  QVERIFY(placements().isColumnHidden(PlacementsModel::Against));
  const QPoint second = placements().visualRect(placements().model()->index(2, PlacementsModel::Matrix)).center();
  QTest::mouseClick(placements().viewport(), Qt::LeftButton, Qt::ControlModifier, second);
  QVERIFY(!placements().isColumnHidden(PlacementsModel::Against));
  QCOMPARE(cellText(placements(), 2, PlacementsModel::Against), QStringLiteral("baseline"));
  QVERIFY(cellText(placements(), 0, PlacementsModel::Against).startsWith("2.89× faster\n"));
  // It stays while others are selected.
  placements().setFocus();
  QTest::keyClick(&placements(), Qt::Key_Down);
  QVERIFY(!placements().isColumnHidden(PlacementsModel::Against));
  QTest::mouseClick(placements().viewport(), Qt::LeftButton, Qt::ControlModifier, second);
  QVERIFY(placements().isColumnHidden(PlacementsModel::Against));
}

void TestPlacementsTable::copiesRowsAndMatrices() {
  QClipboard& clipboard = *QGuiApplication::clipboard();
  placements().setFocus();
  QTest::keyClick(&placements(), Qt::Key_C, Qt::ControlModifier);
  QVERIFY2(clipboard.text().startsWith("[[1,8],[2,1],[2,2]]\tdata in node · model across nodes"),
           qPrintable(clipboard.text()));
  QContextMenuEvent menu(QContextMenuEvent::Keyboard, {}, {});
  QApplication::sendEvent(placements().viewport(), &menu);
  auto* copy = perspective->findChild<QAction*>("copyMatrixOfRow");
  QVERIFY(copy);
  copy->trigger();
  QCOMPARE(clipboard.text(), QStringLiteral("[[1,8],[2,1],[2,2]]"));
  QApplication::activePopupWidget()->close();
}

void TestPlacementsTable::foldsAndUnfolds() {
  perspective->resize(927, 760);
  QTRY_VERIFY(placements().isColumnHidden(PlacementsModel::Programs));
  QVERIFY(placements().isColumnHidden(PlacementsModel::SingleTime));
  perspective->resize(3000, 760);
  QTRY_VERIFY(!placements().isColumnHidden(PlacementsModel::Programs));
  QVERIFY(!placements().isColumnHidden(PlacementsModel::SingleTime));
  // What the rows are sorted by stays.
  QHeaderView& header = *placements().horizontalHeader();
  const QPoint programs(header.sectionViewportPosition(PlacementsModel::Programs) + 20, header.height() / 2);
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, programs);
  perspective->resize(927, 760);
  QTRY_VERIFY(placements().isColumnHidden(PlacementsModel::SingleTime));
  QVERIFY(!placements().isColumnHidden(PlacementsModel::Programs));
}

QTEST_MAIN(TestPlacementsTable)
#include "tst_placements_table.moc"
