// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/stage/folded_runs.h"
#include "views/stage/replay.h"
#include "views/stage/state_image.h"

using namespace p2;
using namespace p2::views;

class TestStateImage : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() { test::failOnWarnings(); }
  void foldedAndExplicitStatesLookTheSame_data();
  void foldedAndExplicitStatesLookTheSame();
  void runsSayWhatTheSetHolds();
  void runsInTheMiddleAreLeftOut();
  void runsInWords();
  void changedRowsAreFound();
};

namespace {

/// Mean difference of the colour channels, 0 … 255.
double difference(const QImage& a, const QImage& b) {
  double sum = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const QColor one = a.pixelColor(x, y);
      const QColor other = b.pixelColor(x, y);
      sum += std::abs(one.red() - other.red()) + std::abs(one.green() - other.green()) +
             std::abs(one.blue() - other.blue());
    }
  }
  return sum / (3.0 * a.width() * a.height());
}

}  // namespace

void TestStateImage::foldedAndExplicitStatesLookTheSame_data() {
  QTest::addColumn<QList<int>>("sizes");
  QTest::addColumn<QString>("rules");
  for (const QString& rules : {QStringLiteral("paper"), QStringLiteral("all")}) {
    QTest::newRow(qPrintable(rules + " 4·4·4")) << QList<int>{4, 4, 4} << rules;
    QTest::newRow(qPrintable(rules + " 3·2·5")) << QList<int>{3, 2, 5} << rules;
    QTest::newRow(qPrintable(rules + " 16·16")) << QList<int>{16, 16} << rules;
  }
}

void TestStateImage::foldedAndExplicitStatesLookTheSame() {
  QFETCH(QList<int>, sizes);
  QFETCH(QString, rules);
  const System system = test::systemOf({sizes.begin(), sizes.end()});
  Workspace workspace;
  workspace.system = system;
  workspace.axes = {{"data", system.deviceCount(), true}};
  workspace.options.rules = test::ruleSetOf(rules.toStdString());
  const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
  const PlacementResult& result = exploration->placements[0];
  const Placement placement(workspace.axes, result.matrix);
  const int k = int(system.deviceCount());
  QRandomGenerator random(11);
  for (int round = 0; round < 12; ++round) {
    const Program& program = result.programs[random.bounded(quint32(result.programs.size()))].program;
    const auto explicitly = test::valueOf(execute(placement, *result.hierarchy, program, workspace.options.rules));
    const auto compactly = test::valueOf(executeCompactly(*result.hierarchy, program, workspace.options.rules));
    const std::size_t step = random.bounded(quint32(compactly.states.size()));
    const MemberId member(random.bounded(k));
    const DeviceState& state = explicitly.states[step][member.index()];
    const FoldedState folded = foldedState(compactly.states[step], result.hierarchy->sizes(), member);
    for (const int side : {k, 2 * k + 5, 4 * k}) QCOMPARE(stateImage(folded, side), stateImage(state, side));
    const int half = k / 2;
    QCOMPARE(stateImage(folded, half).size(), QSize(half, half));
    QVERIFY(difference(stateImage(folded, half), stateImage(state, half)) < 4);
  }
}

void TestStateImage::runsSayWhatTheSetHolds() {
  const ChunkSet set{{2, 4}, {5, 9}};
  const std::vector<FoldedRun> runs = foldedRuns(set, 12, 9);
  QCOMPARE(runs, (std::vector<FoldedRun>{{0, 2, false}, {2, 2, true}, {4, 1, false}, {5, 4, true}, {9, 3, false}}));
  QCOMPARE(foldedRuns({}, 7, 9), (std::vector<FoldedRun>{{0, 7, false}}));
  QCOMPARE(foldedRuns({{0, 7}}, 7, 9), (std::vector<FoldedRun>{{0, 7, true}}));
}

void TestStateImage::runsInTheMiddleAreLeftOut() {
  ChunkSet set;
  for (std::int64_t i = 0; i < 100; ++i) set.push_back({10 * i, 10 * i + 5});
  const std::vector<FoldedRun> runs = foldedRuns(set, 1000, 11);
  QCOMPARE(runs.size(), std::size_t(11));
  QCOMPARE(runs[4], (FoldedRun{20, 5, true}));
  QCOMPARE(runs[5], (FoldedRun{25, 950, false, 190}));
  QCOMPARE(runs[6], (FoldedRun{975, 5, false}));
  std::int64_t covered = 0;
  for (const FoldedRun& run : runs) {
    QCOMPARE(run.from, covered);
    covered += run.count;
  }
  QCOMPARE(covered, std::int64_t(1000));
}

void TestStateImage::runsInWords() {
  QCOMPARE(runsText({{3, 4}}), QString("3"));
  QCOMPARE(runsText({{0, 64}, {128, 192}}), QString("0–63, 128–191"));
  QCOMPARE(runsText({{0, 1}, {2, 3}, {4, 5}, {6, 7}}), QString("0, 2, 4 and 1 more run"));
}

void TestStateImage::changedRowsAreFound() {
  const FoldedState all{16, {{0, 16}}, {{3, 4}}};
  const FoldedState part{16, {{4, 8}}, {{3, 4}}};
  const FoldedState summed{16, {{4, 8}}, {{0, 4}}};
  const FoldedState none{16, {}, {}};
  QCOMPARE(changedRuns(all, all, 1), ChunkSet{});
  QCOMPARE(changedRuns(all, part, 1), (ChunkSet{{0, 4}, {8, 16}}));
  QCOMPARE(changedRuns(all, part, 5), (ChunkSet{{0, 16}}));
  QCOMPARE(changedRuns(part, summed, 1), (ChunkSet{{4, 8}}));
  QCOMPARE(changedRuns(part, none, 1), (ChunkSet{{4, 8}}));
}

QTEST_MAIN(TestStateImage)
#include "tst_state_image.moc"
