// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "support/fixtures.h"
#include "views/cost/cost_series.h"

using namespace p2;
using namespace p2::views;

class TestCostSeries : public QObject {
  Q_OBJECT
 private slots:
  void hasABarForEveryProgram();
  void sorts_data();
  void sorts();
  void showsOnePlacementOnly();
  void everyPlacementKeepsItsFastest();
  void ofTooManyPlacementsTheFastestStay();
  void stepsAddUp();
  void writesCsv();
  void tellsOverlappingSteps();
  void everyPlacementHasItsLowerBound();
  void allBarsTogetherHaveTheLeastLowerBound();
};

namespace {

std::shared_ptr<const Exploration> explored(std::size_t programs = 1000) {
  ExploreScope scope;
  scope.programsPerPlacement = programs;
  scope.limits = true;
  return test::valueOf(
      exploreWorkspace(test::workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards"), scope));
}

std::size_t referencesIn(const std::vector<CostBar>& bars) {
  return std::size_t(std::count_if(bars.begin(), bars.end(), [](const CostBar& bar) { return bar.reference; }));
}

}  // namespace

void TestCostSeries::hasABarForEveryProgram() {
  const auto exploration = explored();
  const CostSeries series = costSeries(*exploration, {});
  QCOMPARE(series.bars.size(), std::size_t(exploration->programCount.clamped64()));
  QVERIFY(series.leftOut == Count(0));
  QCOMPARE(referencesIn(series.bars), exploration->placements.size());
  for (const CostBar& bar : series.bars) {
    if (bar.reference) QCOMPARE(bar.speedup, 1.0);
  }
}

void TestCostSeries::sorts_data() {
  QTest::addColumn<int>("order");
  QTest::newRow("time") << int(CostOrder::Time);
  QTest::newRow("placement") << int(CostOrder::Placement);
  QTest::newRow("speed-up") << int(CostOrder::Speedup);
}

void TestCostSeries::sorts() {
  QFETCH(int, order);
  CostChoice choice;
  choice.order = CostOrder(order);
  const CostSeries series = costSeries(*explored(), choice);
  const auto inOrder = [&](const CostBar& a, const CostBar& b) {
    switch (choice.order) {
      case CostOrder::Time:
        return a.seconds <= b.seconds;
      case CostOrder::Placement:
        return a.placement < b.placement || (a.placement == b.placement && a.seconds <= b.seconds);
      case CostOrder::Speedup:
        return a.speedup >= b.speedup;
    }
    return false;
  };
  QVERIFY(series.bars.size() > 1);
  for (std::size_t i = 1; i < series.bars.size(); ++i) QVERIFY(inOrder(series.bars[i - 1], series.bars[i]));
}

void TestCostSeries::showsOnePlacementOnly() {
  const auto exploration = explored();
  CostChoice choice;
  choice.onlyPlacement = 2;
  const CostSeries series = costSeries(*exploration, choice);
  QCOMPARE(series.bars.size(), exploration->placements[2].programs.size());
  for (const CostBar& bar : series.bars) QCOMPARE(bar.placement, 2);
}

void TestCostSeries::everyPlacementKeepsItsFastest() {
  const auto exploration = explored();
  CostChoice choice;
  choice.mostBars = 2 * exploration->placements.size();
  const CostSeries series = costSeries(*exploration, choice);
  const std::size_t placements = exploration->placements.size();
  QVERIFY(series.bars.size() >= 2 * placements && series.bars.size() <= 3 * placements);
  QCOMPARE(referencesIn(series.bars), placements);
  QVERIFY(series.leftOut == Count(exploration->programCount.clamped64() - series.bars.size()));
  for (const CostBar& bar : series.bars) QVERIFY(bar.program < 2 || bar.reference);
}

void TestCostSeries::ofTooManyPlacementsTheFastestStay() {
  const auto exploration = explored(1);
  CostChoice choice;
  choice.mostBars = 1;
  const CostSeries series = costSeries(*exploration, choice);
  for (const CostBar& bar : series.bars) QCOMPARE(bar.placement, exploration->bestPlacement);
  QCOMPARE(series.bars.size(), std::size_t(2));
  QCOMPARE(series.bars.back().program, -1);
  QVERIFY(series.bars.back().reference);
}

void TestCostSeries::stepsAddUp() {
  const auto exploration = explored(1);
  for (const CostBar& bar : costSeries(*exploration, {}).bars) {
    double seconds = 0;
    for (const StepCost& step : stepsOf(*exploration, bar)) seconds += step.seconds;
    QVERIFY(std::abs(seconds - bar.seconds) <= 1e-9 * bar.seconds);
  }
}

void TestCostSeries::writesCsv() {
  const auto exploration = explored(1);
  CostChoice choice;
  choice.onlyPlacement = 0;
  const CostSeries series = costSeries(*exploration, choice);
  const PlacementResult& placement = exploration->placements[0];
  const std::string best = programText(*placement.hierarchy, placement.programs[0].program);
  const QStringList lines = QString::fromStdString(costCsv(*exploration, series.bars)).split("\r\n");
  QCOMPARE(lines.size(), qsizetype(series.bars.size() + 2));
  QCOMPARE(lines[0], QString("matrix,program,seconds,allreduce_seconds"));
  QCOMPARE(lines[1].toStdString(), "\"" + placement.matrix.text() + "\",\"" + best + "\"," +
                                       exactNumber(placement.programs[0].seconds) + "," +
                                       exactNumber(placement.singleSeconds));
  QVERIFY(lines.last().isEmpty());
}

void TestCostSeries::tellsOverlappingSteps() {
  Workspace workspace = explored()->workspace;
  for (const CostBar& bar : costSeries(*explored(), {}).bars) QCOMPARE(bar.overlapped, 0.0);
  workspace.options.cost.overlap = true;
  const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
  const std::vector<CostBar> bars = costSeries(*exploration, {.order = CostOrder::Time}).bars;
  QVERIFY(std::is_sorted(bars.begin(), bars.end(),
                         [](const CostBar& a, const CostBar& b) { return a.rankedSeconds() < b.rankedSeconds(); }));
  QVERIFY(std::any_of(bars.begin(), bars.end(), [](const CostBar& bar) {
    return bar.overlapped > 0 && bar.overlapped < bar.seconds * (1 - 1e-6);
  }));
  const QStringList lines = QString::fromStdString(costCsv(*exploration, bars)).split("\r\n");
  QVERIFY(lines[0].endsWith(",overlapped_seconds"));
  QVERIFY(lines[1].endsWith("," + QString::fromStdString(exactNumber(bars[0].rankedSeconds()))));
}

void TestCostSeries::everyPlacementHasItsLowerBound() {
  const auto exploration = explored(3);
  const std::vector<CostBar> bars = costSeries(*exploration, {.order = CostOrder::Placement}).bars;
  const std::vector<LowerBoundLine> lines = lowerBoundLines(*exploration, bars, true);
  QCOMPARE(lines.size(), exploration->placements.size());
  int next = 0;
  for (const LowerBoundLine& line : lines) {
    QCOMPARE(line.first, next);
    next = line.last + 1;
    for (int bar = line.first; bar < next; ++bar) {
      QCOMPARE(bars[std::size_t(bar)].placement, bars[std::size_t(line.first)].placement);
      QVERIFY(line.seconds > 0 && line.seconds <= bars[std::size_t(bar)].seconds * (1 + 1e-9));
    }
  }
  QCOMPARE(next, int(bars.size()));
}

void TestCostSeries::allBarsTogetherHaveTheLeastLowerBound() {
  const auto exploration = explored(3);
  const std::vector<CostBar> bars = costSeries(*exploration, {}).bars;
  double lowest = exploration->placements[0].limit.seconds;
  for (const PlacementResult& placement : exploration->placements) lowest = std::min(lowest, placement.limit.seconds);
  QCOMPARE(lowerBoundLines(*exploration, bars, false),
           (std::vector<LowerBoundLine>{{0, int(bars.size()) - 1, lowest}}));
  Exploration unknown = *exploration;
  for (PlacementResult& placement : unknown.placements) placement.limit = {};
  QVERIFY(lowerBoundLines(unknown, bars, false).empty());
  QVERIFY(lowerBoundLines(unknown, bars, true).empty());
}

QTEST_APPLESS_MAIN(TestCostSeries)
#include "tst_cost_series.moc"
