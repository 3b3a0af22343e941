// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>

#include "support/fixtures.h"
#include "views/accuracy/model_quality.h"
#include "views/common/log_ticker.h"
#include "views/sweep/sweep_words.h"
#include "views/sweep/tried_figures.h"

using namespace p2;
using namespace p2::views;

class TestSweepModels : public QObject {
  Q_OBJECT
 private slots:
  void figuresAreTriedOnACopy() {
    System system = test::valueOf(parseSystem("node:4@8GB/s,20us gpu:8@200GB/s"));
    system.levels[1].interconnect.fittedBandwidth = 150e9;
    system.calibrated = true;
    const auto links = triableLinks(system);
    QCOMPARE(links.size(), std::size_t(2));
    QCOMPARE(links[0].latency, 20e-6);
    QCOMPARE(links[1].bandwidth, 150e9);
    const System tried = withTried(system, {{0, {16e9, {}}}, {1, {100e9, 1e-6}}});
    QCOMPARE(tried.levels[0].interconnect.bandwidth, 16e9);
    QCOMPARE(tried.levels[0].interconnect.latency, 20e-6);
    QCOMPARE(bandwidthOf(tried.levels[1].interconnect, true), 100e9);
    QCOMPARE(latencyOf(tried.levels[1].interconnect, true), 1e-6);
    QVERIFY(withTried(system, {}) == system);
    QVERIFY(withTried(system, {{99, {1.0, 1.0}}}) == system);
  }

  void linksThatJoinNothingHaveNoFigures() {
    QVERIFY(triableLinks(test::valueOf(parseSystem("node:1 gpu:8"))).size() == 1);
    for (const TriableLink& link : triableLinks(test::valueOf(parseSystem("gcp-v100:4")))) QVERIFY(link.bandwidth > 0);
  }

  void labelsOfAxes() {
    QCOMPARE(roundLabel("10.0 MB"), QString("10 MB"));
    QCOMPARE(roundLabel("1.00 kB"), QString("1 kB"));
    QCOMPARE(roundLabel("2.50 µs"), QString("2.5 µs"));
    QCOMPARE(roundLabel("500 GB/s"), QString("500 GB/s"));
    QCOMPARE(roundLabel("20"), QString("20"));
  }

  // A gain that the intervals of both times cover is no finding without a word on it.
  void findingSaysWhatIsLeftOpen() {
    Workspace workspace = test::workspaceOf("aws-p4d:4", "32", "0");
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    const auto near = test::valueOf(sweep(workspace, {SweepOver::Bytes, {}, 6e6, 9e6, 3}));
    QVERIFY2(findingOf(*near).contains("faster than the single AllReduce"), qPrintable(findingOf(*near)));
    QVERIFY2(findingOf(*near).endsWith(", a difference within the intervals."), qPrintable(findingOf(*near)));
    workspace.system = test::valueOf(parseSystem("gcp-v100:4"));
    const auto wide = test::valueOf(sweep(workspace, {SweepOver::Bytes, {}, 1e3, 16e9, 12}));
    QVERIFY2(!findingOf(*wide).contains("intervals"), qPrintable(findingOf(*wide)));
    workspace.options.cost.model = "paper";
    workspace.options.cost.algorithm = Algorithm::Ring;
    const auto none = test::valueOf(sweep(workspace, {SweepOver::Bytes, {}, 1e3, 16e9, 12}));
    QVERIFY2(!findingOf(*none).contains("intervals"), qPrintable(findingOf(*none)));
  }

  // Over bytes the paper's model says what it leaves out, which small sizes are made of; other ranges do not grow
  // small.
  void findingSaysWhatThePaperLeavesOut() {
    const Workspace workspace = test::workspaceOf("node:4@8GB/s gpu:4@270GB/s", "16", "0");
    const QString alone =
        "The paper's model counts bandwidth alone, without latency, and every collective is a flat ring.";
    const auto bytes = test::valueOf(sweep(workspace, {SweepOver::Bytes, {}, 1e3, 16e9, 12}));
    QVERIFY2(findingOf(*bytes).endsWith(alone), qPrintable(findingOf(*bytes)));
    const auto nodes = test::valueOf(sweep(workspace, {SweepOver::Nodes, {}, 1, 8, 4}));
    QVERIFY2(!findingOf(*nodes).contains("latency"), qPrintable(findingOf(*nodes)));
    Workspace trees = workspace;
    trees.options.cost.algorithm = Algorithm::Tree;
    const auto byTrees = test::valueOf(sweep(trees, {SweepOver::Bytes, {}, 1e3, 16e9, 12}));
    QVERIFY2(findingOf(*byTrees).endsWith("bandwidth alone, without latency."), qPrintable(findingOf(*byTrees)));
  }

  void findingSaysWhichAxisGrows() {
    const Workspace workspace = test::workspaceOf("rack:2@10GB/s gpu:4@100GB/s", "model=2,data=4", "data");
    const auto nodes = test::valueOf(sweep(workspace, {SweepOver::Nodes, {}, 1, 8, 4}));
    QVERIFY2(findingOf(*nodes).endsWith(". Nodes are instances of rack; data, 4 at 2, grows with them."),
             qPrintable(findingOf(*nodes)));
  }

  void findingSaysWhereAnotherProgramWins() {
    Workspace workspace = test::workspaceOf("alps-gh200:4", "16", "0");
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    const auto answer = test::valueOf(sweep(workspace, {SweepOver::Bytes, {}, 1e3, 16e9, 12}));
    const QString finding = findingOf(*answer);
    QVERIFY2(finding.contains(QRegularExpression(" is best up to (.+); above \\1 ")), qPrintable(finding));
    QVERIFY2(finding.contains("faster than the single AllReduce"), qPrintable(finding));
    QVERIFY2(!finding.contains("[["), qPrintable(finding));
    // Where the placement changes as well, the first is named like those that follow.
    workspace = test::workspaceOf("dgx-a100:4", "8,4", "0");
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    const auto two = test::valueOf(sweep(workspace, {SweepOver::Bytes, {}, 1e3, 16e9, 12}));
    QVERIFY2(findingOf(*two).contains(
                 QRegularExpression("^AR over all on \\[\\[2,4\\],\\[2,2\\]\\] is best up to (.+); above \\1 ")),
             qPrintable(findingOf(*two)));
    const QString text = pointText(*answer, 11);
    QVERIFY2(text.startsWith("16.0 GB · ") && text.contains("latency ") && text.contains("AllReduce: "),
             qPrintable(text));
    // One for every step, one for the interval, and one in the program's Parallel(…).
    QCOMPARE(text.count("("), qsizetype(answer->points[11].best.steps.size() + 2));
  }

  // As many nodes first, then the nearest number.
  void tablesLikeASystem() {
    const auto tables = measuredAllReduces(test::valueOf(parseSystem("abci-a100:4")));
    QVERIFY(tables.size() > 2);
    QCOMPARE(tables[0]->nodes, 4);
    double away = 0;
    for (const AtlasTable* table : tables) {
      QCOMPARE(table->collective, std::string("all_reduce"));
      const double next = std::abs(std::log(table->nodes / 4.0));
      QVERIFY(next >= away);
      away = next;
    }
    QVERIFY2(tableTitle(*tables[0]).contains("4 nodes × 8"), qPrintable(tableTitle(*tables[0])));
    QVERIFY(measuredAllReduces(test::valueOf(parseSystem("node:3 gpu:5"))).empty());
    QVERIFY(measuredAllReduces(System{}).empty());
  }

  void qualityCountsEverySizeOnce() {
    const System system = test::valueOf(parseSystem("abci-a100:4"));
    const auto some = test::valueOf(modelQuality(system, true, {}, {}));
    const auto all = test::valueOf(modelQuality(system, false, {}, {}));
    QVERIFY(all.tables.size() > some.tables.size());
    const std::array<double, kSizeBands> everywhere = nominalErrors();
    std::size_t sizes = 0;
    for (std::size_t band = 0; band < kSizeBands; ++band) {
      sizes += some.bands[band].sizes;
      QVERIFY(some.bands[band].here.has_value());
      QCOMPARE(some.bands[band].everywhere, everywhere[band]);
    }
    QCOMPARE(sizes, some.points.size());
    QVERIFY(test::valueOf(modelQuality(test::valueOf(parseSystem("node:3 gpu:5")), false, {}, {})).points.empty());
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!modelQuality(system, true, stop.get_token(), {}).ok());
  }
};

QTEST_GUILESS_MAIN(TestSweepModels)
#include "tst_sweep_models.moc"
