// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include "support/warnings.h"
#include "tests/views/workload/training_steps.h"
#include "views/common/theme.h"
#include "views/workload/break_even_lines.h"
#include "views/workload/entries_model.h"
#include "views/workload/entries_shown.h"
#include "views/workload/ranking_bars.h"
#include "views/workload/ranking_model.h"
#include "views/workload/workload_edits.h"

using namespace p2;
using namespace p2::views;

namespace {

using Ranked = std::shared_ptr<const StepRanking>;

Ranked rankedStep(const Workspace& workspace) {
  return test::valueOf(rankSteps(stepQuestionOf(workspace, *workspace.workload)));
}

/// As many entries alike as there are layers, and one of its own.
Workload layered(int layers) {
  Workload workload = *test::trainingStep().workload;
  const WorkloadEntry weights = workload.collectives[0];
  const WorkloadEntry gradients = workload.collectives[1];
  workload.collectives.clear();
  for (int layer = 0; layer < layers; ++layer) {
    workload.collectives.push_back(weights);
    workload.collectives.back().name = "layer " + std::to_string(layer);
    workload.collectives.back().count = 2;
  }
  workload.collectives.push_back(gradients);
  return workload;
}

}  // namespace

class TestWorkloadModels : public QObject {
  Q_OBJECT

  Workspace m_document = test::trainingStep();
  Ranked m_ranking;
  std::optional<ReductionWinner> m_winner;

 private slots:
  void initTestCase() {
    Theme::apply(Theme::Scheme::Light);
    m_ranking = rankedStep(m_document);
    const auto explored = test::valueOf(exploreWorkspace(m_document, {}));
    m_winner = reductionWinner(*m_ranking, explored.get());
  }
  void init() { test::failOnWarnings(); }

  // The best placement of a training that communicates too often is no good advice by itself.
  void theFindingNamesStatesThatMoveInEachMicrobatch() {
    StepRanking ranking = *m_ranking;
    const QString plain = findingOf(ranking, m_winner);
    TrainedStep training;
    training.plan.data = 16;
    training.plan.zero = 3;
    training.plan.microbatches = 64;
    ranking.question.workload.training = training;
    QCOMPARE(findingOf(ranking, m_winner),
             plain +
                 " ZeRO 3 moves weights and gradients in each of 64 microbatches, ZeRO 1 once a step: the page Plan "
                 "compares both.");
    ranking.question.workload.training->plan.zero = 1;
    QCOMPARE(findingOf(ranking, m_winner), plain);
    ranking.question.workload.training->plan.zero = 3;
    ranking.question.workload.training->plan.microbatches = 1;
    QCOMPARE(findingOf(ranking, m_winner), plain);
  }

  // Entries of one name are told apart.
  void legendsNameEachEntry() {
    const std::vector<WorkloadEntry> entries{{"resharding", {"tensor"}, CommunicationKind::AllGather, 1, 1},
                                             {"resharding", {"tensor"}, CommunicationKind::ReduceScatter, 1, 1},
                                             {"loss", {"tensor"}, CommunicationKind::AllReduce, 1, 1}};
    QCOMPARE(legendName(entries, 0), QString("resharding (AllGather over tensor)"));
    QCOMPARE(legendName(entries, 1), QString("resharding (ReduceScatter over tensor)"));
    QCOMPARE(legendName(entries, 2), QString("loss"));
  }

  void theFindingNamesWhatOneReductionWouldChoose() {
    QVERIFY(m_winner.has_value());
    QCOMPARE(m_ranking->placements[m_winner->placement].matrix.text(), std::string("[[4,8],[8,1]]"));
    QCOMPARE(findingOf(*m_ranking, m_winner),
             QString("Best: tensor inside a node, 5.33 s of communication per step. Choosing by the AllReduce of data "
                     "alone would take 6.81× as long, on [[4,8],[8,1]]."));
    // Without an exploration the largest reduction speaks: the activations, which want what the step wants.
    const auto largest = reductionWinner(*m_ranking, nullptr);
    QVERIFY(largest.has_value());
    QCOMPARE(largest->placement, std::size_t(0));
    QVERIFY2(findingOf(*m_ranking, largest)
                 .contains("ReduceScatter of summed activations alone leads to an equally good placement"),
             qPrintable(findingOf(*m_ranking, largest)));
  }

  void aWinnerOfOtherAxesDoesNotCount() {
    Workspace other = m_document;
    other.axes[0].name = "fsdp";
    other.workload.reset();
    const auto explored = test::valueOf(exploreWorkspace(other, {}));
    QCOMPARE(reductionWinner(*m_ranking, explored.get()), reductionWinner(*m_ranking, nullptr));
  }

  void whereAxesLie() {
    const System& system = m_document.system;
    const auto where = [&](const char* matrix) {
      return whereText(system, m_document.axes, test::valueOf(parseMatrix(matrix)));
    };
    QCOMPARE(where("[[32,1],[1,8]]"), QString("tensor inside a node · data across nodes"));
    QCOMPARE(where("[[16,2],[2,4]]"),
             QString("tensor across nodes (2) and inside a node (4) · data across nodes (16) and inside a node (2)"));
    const System flat = test::valueOf(parseSystem("gpu:8"));
    QCOMPARE(whereText(flat, {{"data", 8, true}}, test::valueOf(parseMatrix("[[8]]"))), QString("data across gpus"));
  }

  void ratiosAsPeopleSayThem() {
    QCOMPARE(ratioText(0.25), QString("1/4"));
    QCOMPARE(ratioText(1), QString("1"));
    QCOMPARE(ratioText(4.001), QString("4"));
    QCOMPARE(ratioText(57.0 / 64), QString("0.891"));
    QCOMPARE(ratioText(30.41), QString("30.4"));
    QCOMPARE(ratioText(2e4), QString("2e+04"));
  }

  void rankingRows() {
    RankingModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRanking(m_ranking, m_winner);
    QCOMPARE(model.rowCount(), 4);
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    // Every row is on the front of both times, so no row is marked for it.
    QCOMPARE(cell(0, RankingModel::Mark), QString("★"));
    QCOMPARE(cell(0, RankingModel::Matrix), QString("[[32,1],[1,8]]"));
    QCOMPARE(cell(0, RankingModel::Where), QString("tensor inside a node\ndata across nodes"));
    QCOMPARE(cell(0, RankingModel::Step), QString("5.33 s"));
    QCOMPARE(cell(0, RankingModel::Factor), QString("1.00×"));
    // 213.9 MB × 160 gathered and 427.8 MB × 80 scattered over 32 nodes: 31/32 of 68.5 GB, over each of eight NICs.
    QCOMPARE(cell(0, RankingModel::Nic), QString("66.3 GB · NIC"));
    QVERIFY(model.headerData(RankingModel::Nic, Qt::Horizontal, Qt::ToolTipRole).toString().contains("NIC"));
    QVERIFY2(cell(0, RankingModel::Orders).contains("Megatron-LM · "), qPrintable(cell(0, RankingModel::Orders)));
    QCOMPARE(cell(3, RankingModel::Step), QString("36.3 s"));
    QCOMPARE(cell(3, RankingModel::Factor), QString("6.81×"));
    QCOMPARE(cell(3, RankingModel::Orders), QString("the AllReduce of data alone"));
    QVERIFY(model.index(0, RankingModel::Realised).data(Qt::ToolTipRole).toString().contains("rankfile"));
    QVERIFY(model.index(1, RankingModel::Matrix).data(Qt::AccessibleDescriptionRole).toString().contains("exposed"));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setStale(true);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(model.index(0, 0).data(Qt::ForegroundRole).value<QColor>(), Theme::mutedText());
    model.setRanking(nullptr, {});
    QCOMPARE(model.rowCount(), 0);
  }

  void ordersWithoutAMatrixSayWhy() {
    Workspace document = m_document;
    for (Axis& axis : document.axes) axis.name = axis.name == "tensor" ? "context" : axis.name;
    document.workload->axes[1].name = "context";
    for (WorkloadEntry& entry : document.workload->collectives) {
      for (std::string& axis : entry.axes) axis = axis == "tensor" ? "context" : axis;
    }
    const QString lines = ordersWithoutMatrix(*rankedStep(document));
    QVERIFY2(lines.contains("DeepSpeed: it has no context axis"), qPrintable(lines));
    QVERIFY(ordersWithoutMatrix(*m_ranking).isEmpty());
  }

  void segmentsAddUpToTheStep() {
    for (const PlacementStep& placement : m_ranking->placements) {
      double exposed = 0;
      double overlapped = 0;
      for (const StepSegment& segment : segmentsOf(*m_ranking, placement)) {
        (segment.overlappable ? overlapped : exposed) += segment.seconds;
      }
      QCOMPARE(exposed, placement.exposedSeconds);
      QCOMPARE(overlapped, placement.overlappableSeconds);
    }
    Workspace computing = m_document;
    computing.workload->computeSeconds = 8.7;
    const Ranked ranking = rankedStep(computing);
    const auto segments = segmentsOf(*ranking, ranking->placements[0]);
    QCOMPARE(segments[0].entry, StepSegment::kComputation);
    QCOMPARE(segmentText(*ranking, segments[0]), QString("computation: 8.70 s"));
    QVERIFY(segmentText(*ranking, segments.back()).endsWith("may overlap with computation"));
    QVERIFY(longestBar(*ranking) >= longestBar(*m_ranking));
  }

  // Solid and hatched are told apart without colour.
  void overlappableIsHatched() {
    const auto colours = [](bool overlappable) {
      QImage image(60, 20, QImage::Format_RGB32);
      image.fill(Theme::surface());
      QPainter painter(&image);
      paintSegment(painter, QRectF(0, 0, 12, 20), {0, 1, overlappable}, false);
      painter.end();
      std::set<QRgb> seen;
      for (int x = 1; x < 10; ++x) seen.insert(image.pixel(x, 10));
      return seen.size();
    };
    QCOMPARE(colours(false), std::size_t(1));
    QVERIFY(colours(true) > 1);
  }

  void entryRows() {
    EntriesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setEntries(m_document.workload->collectives, {false, false, true, false});
    QCOMPARE(model.rowCount(), 4);
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(cell(0, EntriesModel::Entry), QString("layer weights\nAllGather over data"));
    QCOMPARE(cell(0, EntriesModel::Data), QString("214 MB\n× 160"));
    QCOMPARE(cell(0, EntriesModel::Time), QString());
    QVERIFY(model.index(2, EntriesModel::Data).data(Qt::FontRole).value<QFont>().bold());
    QVERIFY(!model.index(1, EntriesModel::Data).data(Qt::FontRole).value<QFont>().bold());
    model.setRanking(m_ranking, 0);
    QCOMPARE(cell(0, EntriesModel::Program), QString("AG\nnode 32"));
    QCOMPARE(cell(2, EntriesModel::Program), QString("AG\ngpu 8"));
    QCOMPARE(cell(2, EntriesModel::Time), QString("2.00 s\n38 %"));
    model.setRanking(m_ranking, m_winner->placement);
    QCOMPARE(cell(2, EntriesModel::Program).section('\n', 1), QString("node 8"));
    QVERIFY(model.index(2, 0).data(Qt::ToolTipRole).toString().contains("tried out"));
    // A ranking of other entries is none of these.
    model.setEntries({m_document.workload->collectives[0]}, {false});
    QCOMPARE(cell(0, EntriesModel::Time), QString());
  }

  void manyEntriesAreCollapsed() {
    const Workload few = layered(3);
    QCOMPARE(shownEntries(few).collectives.size(), std::size_t(4));
    const Workload many = layered(100);
    const Workload shown = shownEntries(many);
    QCOMPARE(shown.collectives.size(), std::size_t(2));
    QCOMPARE(shown.collectives[0].count, 200);
    QCOMPARE(entriesBehind(many, shown.collectives[0]), std::size_t(100));
    QCOMPARE(entriesBehind(many, shown.collectives[1]), std::size_t(1));
    TriedEntries tried{{0, {1000, 7}}, {1, {{}, 5}}};
    const Workload applied = withApplied(many, shown, tried);
    QCOMPARE(applied.collectives.size(), many.collectives.size());
    for (int layer = 0; layer < 100; ++layer) {
      QCOMPARE(applied.collectives[std::size_t(layer)].bytes, 1000);
      QCOMPARE(applied.collectives[std::size_t(layer)].count, 2);
    }
    QCOMPARE(applied.collectives[100].count, 5);
    QVERIFY(checkWorkload(applied).ok());
    const Workload hidden = withOverlap(many, shown, 0, {CommunicationOverlap::Extent::Fraction, 0.5});
    QCOMPARE(hidden.collectives[99].overlap.value, 0.5);
    QVERIFY(hidden.collectives[100] == many.collectives[100]);
  }

  void triedFiguresTakeTheirFormulasAlong() {
    WorkloadEntry entry = m_document.workload->collectives[0];
    entry.factors = {{"layers", 80}, {"passes", 2}};
    entry.formula = "β·P/layers";
    QVERIFY(withTried(entry, {entry.bytes, entry.count}) == entry);
    const WorkloadEntry tried = withTried(entry, {entry.bytes * 2, 3});
    QVERIFY(tried.formula.empty() && tried.factors.empty());
    QCOMPARE(tried.count, 3);
  }

  void oneAllReduceIsTheListOfOneEntry() {
    Workspace workspace = m_document;
    workspace.workload.reset();
    workspace.options.cost.bytes = Bytes(1 << 30);
    workspace.options.cost.repeat = 10;
    const Workload one = test::valueOf(oneAllReduce(workspace));
    QCOMPARE(one.collectives.size(), std::size_t(1));
    QCOMPARE(entryKindText(one.collectives[0]), QString("AllReduce over data"));
    QCOMPARE(entryBytesText(one.collectives[0]), QString("10 × 1.07 GB"));
    workspace.workload = one;
    // The same prediction as that of the document without a workload.
    const Ranked ranking = rankedStep(workspace);
    const auto explored = test::valueOf(exploreWorkspace(workspace, {}));
    const double seconds = explored->placements[std::size_t(explored->bestPlacement)].bestSeconds;
    QVERIFY(std::abs(ranking->placements[0].stepSeconds - seconds) <= 1e-9 * seconds);
    for (Axis& axis : workspace.axes) axis.reduce = false;
    QVERIFY(!oneAllReduce(workspace).ok());
  }

  void axesOfTheWorkload() {
    Workspace workspace = m_document;
    workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes("x=16,tensor=16")), "x"));
    auto axes = test::valueOf(axesOfWorkload(workspace));
    QCOMPARE(axes.size(), std::size_t(2));
    QCOMPARE(axes[0].name, std::string("data"));
    // The entry that reduces most goes over tensor.
    QVERIFY(!axes[0].reduce && axes[1].reduce);
    workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes("data=16,tensor=16")), "data"));
    axes = test::valueOf(axesOfWorkload(workspace));
    QVERIFY(axes[0].reduce && !axes[1].reduce);
    workspace.system = test::valueOf(parseSystem("dgx-h100:4"));
    QVERIFY(!axesOfWorkload(workspace).ok());
  }

  void breakEvensAreDrawn() {
    const auto choices = groupChoices(*m_ranking);
    QCOMPARE(choices.size(), std::size_t(6));
    QCOMPARE(choices[0].title, QString("all over tensor"));
    QCOMPARE(choices[2].title, QString("A layer weights"));
    const BreakEvenChart chart = breakEvenChart(*m_ranking, choices[1].group, choices[0].group);
    QCOMPARE(chart.answer.points.size(), std::size_t(3));
    QVERIFY(chart.lower < 0.25 && chart.upper > chart.answer.ratio);
    for (const BreakEven& point : chart.answer.points) {
      const double below = chart.secondsAt(point.from, point.ratio);
      QVERIFY(std::abs(below - chart.secondsAt(point.to, point.ratio)) < 1e-6 * below);
      QCOMPARE(chart.bestAt(point.ratio * 0.99), point.from);
      QCOMPARE(chart.bestAt(point.ratio * 1.01), point.to);
    }
    for (const BreakEvenLine& line : chart.lines) QVERIFY(line.isBest);
    QCOMPARE(chart.bestAt(chart.answer.ratio), std::size_t(0));
    const QString finding = breakEvenFinding(*m_ranking, chart);
    QVERIFY2(finding.contains("[[4,8],[8,1]] up to 1/4, [[8,4],[4,2]] up to 1, [[16,2],[2,4]] up to 4, then "
                              "[[32,1],[1,8]]. This workload has 30"),
             qPrintable(finding));
  }
};

QTEST_MAIN(TestWorkloadModels)
#include "tst_workload_models.moc"
