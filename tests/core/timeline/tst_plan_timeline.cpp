// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "synthesis/instruction.h"
#include "tests/core/timeline/trace_reader.h"
#include "timeline/chrome_trace.h"
#include "timeline/plan_timeline.h"

using namespace p2;
using p2::test::valueOf;

namespace {

Plan planOfProgram(const std::string& system, const std::string& axes, const std::string& reduce,
                   const std::string& matrix, const std::string& program) {
  Workspace workspace = test::workspaceOf(system, axes, reduce, matrix);
  workspace.program = program;
  return valueOf(makePlan(workspace));
}

Plan threeSteps() {
  return planOfProgram("node:4 gpu:16", "64", "0", "[[4,16]]",
                       "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather");
}

}  // namespace

class TestPlanTimeline : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyRankHasEveryStep() {
    const Plan plan = threeSteps();
    const Timeline timeline = valueOf(planTimeline(plan));
    QCOMPARE(timeline.tracks.size(), std::size_t{64});
    QCOMPARE(timeline.slices.size(), std::size_t{3 * 64});
    const double runs = plan.workspace().options.cost.repeat;
    QVERIFY(std::abs(timeline.seconds * runs - plan.predicted().seconds) < 1e-9 * plan.predicted().seconds);
    const auto [first, last] = timeline.rangeOf(17);
    QCOMPARE(last - first, std::size_t{3});
    for (std::size_t i = first; i < last; ++i) {
      const SliceDetail& detail = timeline.detailOf(timeline.slices[i]);
      QVERIFY(!detail.link.empty());
      QVERIFY2(QString::fromStdString(detail.group).contains("17"), detail.group.c_str());
      QVERIFY(detail.bytes > 0);
    }
    // A sixteenth of the vector is left after the ReduceScatter.
    const double whole = timeline.detailOf(timeline.slices[first]).bytes;
    QCOMPARE(timeline.detailOf(timeline.slices[first + 1]).bytes * 16, whole);
  }

  // Bytes of a counter are its rate times the time of the step: those of core/cost's traffic.
  void countersCarryTheBusiestLink() {
    const Plan plan = threeSteps();
    const Timeline timeline = valueOf(planTimeline(plan));
    QVERIFY(!timeline.counters.empty());
    for (std::size_t step = 0; step < plan.steps().size(); ++step) {
      const auto counter = std::find_if(timeline.counters.begin(), timeline.counters.end(),
                                        [&](const auto& each) { return each.name == plan.predicted().links[step]; });
      QVERIFY2(counter != timeline.counters.end(), plan.predicted().links[step].c_str());
      const double seconds = counter->points[step + 1].time - counter->points[step].time;
      const double bytes = counter->points[step].value * 1e9 * seconds;
      const double expected = plan.predicted().steps[step].linkBytes.value();
      QVERIFY2(std::abs(bytes - expected) < 1e-6 * expected, qPrintable(QString::number(bytes / expected)));
    }
  }

  void isATraceToAnIndependentReader() {
    if (!test::hasPython()) QSKIP("python3 is not installed");
    const Timeline timeline = valueOf(planTimeline(threeSteps()));
    const QJsonObject read = test::readTrace(chromeTraceText(timeline));
    QVERIFY2(!read.contains("error"), qPrintable(read["error"].toString()));
    QCOMPARE(read["slices"].toInt(), 3 * 64);
    QCOMPARE(read["threads"].toInt(), 64);
    QCOMPARE(read["counters"].toObject().size(), qsizetype(timeline.counters.size()));
    QVERIFY(std::abs(read["end"].toDouble() - timeline.seconds) < 1e-8);
  }

  // The shortest text of this load has 20 decimals, and Perfetto would read 0.00159.
  void numbersAreThoseThatPerfettoReads() {
    if (!test::hasPython()) QSKIP("python3 is not installed");
    Timeline timeline = valueOf(planTimeline(threeSteps()));
    timeline.counters = {{"a slow link", "GB/s", {{0, 0.00012345678901234567}, {1e-3, 0}}}};
    const QJsonObject read = test::readTrace(chromeTraceText(timeline));
    QVERIFY2(!read.contains("error"), qPrintable(read["error"].toString()));
    const double value = read["counters"].toObject()["a slow link"].toArray()[0].toArray()[1].toDouble();
    QVERIFY2(std::abs(value - 0.000123456789012346) < 1e-18, qPrintable(QString::number(value, 'g', 17)));
  }

  void tooManyRanksAreRefused() {
    const Plan plan = planOfProgram("node:2048 gpu:8", "16384", "0", "[[2048,8]]", "root:InsideGroup:AllReduce");
    const auto timeline = planTimeline(plan);
    QVERIFY(!timeline.ok());
    QVERIFY2(timeline.error().text().find("16384") != std::string::npos, timeline.error().text().c_str());
  }
};

QTEST_GUILESS_MAIN(TestPlanTimeline)
#include "tst_plan_timeline.moc"
