// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>

#include "graphs/strategy_source.h"
#include "tests/app/cli/run_p2.h"
#include "tests/views/strategy/strategy_desk.h"
#include "views/shell/session.h"
#include "views/strategy/pipeline_comparison.h"
#include "views/strategy/strategy_finder.h"

using namespace p2;
using namespace p2::views;

namespace {

constexpr int kUntilAnswered = 600'000;  // milliseconds, where sanitizers and others have the processors

/// A system that the hierarchical model places strategies on; null for the flat model on eight devices.
constexpr std::array<const char*, 3> kSystems{nullptr, "dgx-h100:2", "gcp-a100:2"};

/// The document that asks what `p2 strategy GRAPH` asks.
Workspace documentOf(const QString& graph, const char* system) {
  Workspace workspace = test::strategyWorkspace();
  workspace.strategy.graph = graph.toStdString();
  if (system == nullptr) return workspace;
  workspace.system = test::valueOf(systemFromArgument(system));
  workspace.axes = {{"data", workspace.system.deviceCount(), true}};
  workspace.options = ownPricing(workspace.system);
  workspace.strategy.options.model = StrategyCostModel::Hierarchical;
  return workspace;
}

QStringList argumentsFor(const QString& graph, const char* system) {
  QStringList arguments{"strategy", graph, "--compare"};
  if (system != nullptr) arguments << QStringList{"--model", "hierarchical", "--system", system};
  return arguments;
}

bool isNear(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

void compareSplit(const QJsonObject& answer, const CostSplit& split) {
  const double rounding = 1e-9 * split.total();
  QVERIFY(std::abs(answer["compute"].toDouble() - split.compute) <= rounding);
  QVERIFY(std::abs(answer["reduce"].toDouble() - split.reduce) <= rounding);
  QVERIFY(std::abs(answer["exchange"].toDouble() - split.resharding) <= rounding);
}

void compareBaseline(const QJsonObject& answer, const StrategyBaseline& baseline) {
  QCOMPARE(answer["name"].toString().toStdString(), baseline.name);
  QCOMPARE(answer["reason"].toString().toStdString(), baseline.reason);
  if (!baseline.reason.empty()) return;
  QVERIFY(isNear(answer["cost"].toDouble(), baseline.cost));
  QVERIFY(baseline.split.has_value());
  compareSplit(answer, *baseline.split);
  QVERIFY(isNear(answer["memory"].toDouble(), baseline.memory->value()));
  QCOMPARE(answer["fits"].toBool(), baseline.fits);
  QCOMPARE(answer["devices"].toInteger(), baseline.devices);
  QCOMPARE(answer["stages"].toInteger(1), baseline.stages);
}

}  // namespace

/// The command line and the window answer the same question with the same numbers.
class TestStrategyFaces : public QObject {
  Q_OBJECT
 private slots:
  void strategies_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<int>("system");
    const QStringList graphs = bundledGraphNames();
    QVERIFY(graphs.size() > 10);
    for (const QString& graph : graphs) {
      for (int i = 0; i < int(kSystems.size()); ++i) {
        const char* const name = kSystems[std::size_t(i)] != nullptr ? kSystems[std::size_t(i)] : "flat";
        QTest::newRow(qPrintable(graph + " " + name)) << graph << i;
      }
    }
  }
  void strategies() {
    QFETCH(QString, graph);
    QFETCH(int, system);
    const char* const on = kSystems[std::size_t(system)];
    Session session;
    session.reset(documentOf(graph, on));
    StrategyFinder finder(session);
    finder.setActive(true);
    QTRY_VERIFY_WITH_TIMEOUT(finder.problem() || !finder.baselines().empty(), kUntilAnswered);
    const QStringList arguments = argumentsFor(graph, on);
    if (finder.problem()) {
      const test::Answer refused = test::runP2(arguments);
      QVERIFY(refused.status == 1 || refused.status == 2);  // nothing fits, or bad input
      QVERIFY2(refused.err.contains(QString::fromStdString(finder.problem()->message)), qPrintable(refused.err));
      return;
    }
    const QJsonObject answer = test::jsonFrom(arguments);
    const StrategyAnswer& shown = *finder.answer();
    QVERIFY(isNear(answer["cost"].toDouble(), shown.best().cost));
    QCOMPARE(answer["optimal"].toBool(), shown.optimal);
    QVERIFY(isNear(answer["memory"].toObject()["total"].toDouble(),
                   memoryOf(shown.instance->problem, shown.best().choice)));
    if (on != nullptr) compareSplit(answer["split"].toObject(), splitOf(*shown.instance, shown.best().choice));
    auto prices = test::valueOf(StrategyPrices::of(*shown.instance));
    const auto needs = test::valueOf(needsOf(*shown.instance, shown.best(), prices));
    const QJsonArray needed = answer["needs"].toArray();
    QCOMPARE(needed.size(), qsizetype(needs.size()));
    for (qsizetype i = 0; i < needed.size(); ++i) {
      QVERIFY(isNear(needed[i].toObject()["seconds"].toDouble(), needs[std::size_t(i)].seconds));
    }
    const QJsonArray baselines = answer["baselines"].toArray();
    QCOMPARE(baselines.size(), qsizetype(finder.baselines().size()));
    for (qsizetype i = 0; i < baselines.size(); ++i) {
      compareBaseline(baselines[i].toObject(), finder.baselines()[std::size_t(i)]);
    }
  }

  void pipelines_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("stages");
    for (const char* graph : {"mlp", "transformer", "gpt2-medium", "llama3-8b", "mixtral-8x7b"}) {
      for (const char* stages : {"2", "auto"}) {
        QTest::newRow(qPrintable(QString(graph) + ", " + stages)) << graph << stages;
      }
    }
  }
  void pipelines() {
    QFETCH(QString, graph);
    QFETCH(QString, stages);
    Workspace document = documentOf(graph, "dgx-h100:2");
    document.strategy.options.microbatches = 8;
    const std::optional<std::int64_t> number =
        stages == "auto" ? std::optional<std::int64_t>() : std::optional<std::int64_t>(stages.toLongLong());
    const PipelineQuestion question{questionOf(document), number};
    const auto found = findPipeline(question, {}, {});
    const QStringList arguments = argumentsFor(graph, "dgx-h100:2") + QStringList{"--stages", stages, "--passes", "8"};
    if (!found.ok()) {
      const test::Answer refused = test::runP2(arguments);
      QVERIFY(refused.status == 1 || refused.status == 2);  // nothing fits, or bad input
      QVERIFY2(refused.err.contains(QString::fromStdString(found.error().message)), qPrintable(refused.err));
      return;
    }
    const QJsonObject answer = test::jsonFrom(arguments);
    QVERIFY(isNear(answer["cost"].toDouble(), found->pipeline.cost));
    QCOMPARE(answer["pipeline"].toObject()["stages"].toInteger(), found->pipeline.setting.stages);
    const auto baselines = test::valueOf(views::pipelineBaselinesOf(question, {}, {}));
    const QJsonArray compared = answer["baselines"].toArray();
    QCOMPARE(compared[0].toObject()["name"].toString(), "one stage");
    for (std::size_t i = 0; i < baselines.size(); ++i) {
      compareBaseline(compared[qsizetype(1 + i)].toObject(), baselines[i]);
    }
    // Below the pipelines, the window has the baselines without stages that it has anyway.
    const auto instance = test::instanceOf(document);
    const auto others = test::baselinesOf(*instance);
    QCOMPARE(compared.size(), qsizetype(1 + baselines.size() + others.size()));
    for (std::size_t i = 0; i < others.size(); ++i) {
      compareBaseline(compared[qsizetype(1 + baselines.size() + i)].toObject(), others[i]);
    }
  }
};

QTEST_MAIN(TestStrategyFaces)
#include "tst_strategy_faces.moc"
