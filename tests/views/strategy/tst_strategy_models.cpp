// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <numeric>

#include "support/warnings.h"
#include "tests/views/strategy/strategy_desk.h"
#include "views/strategy/configurations_model.h"
#include "views/strategy/needs_model.h"
#include "views/strategy/strategies_model.h"
#include "views/strategy/strategy_picture.h"

using namespace p2;
using namespace p2::views;
using Mode = QAbstractItemModelTester::FailureReportingMode;

namespace {

constexpr std::size_t kVertex = 1;

ConfigurationsModel::State stateOf(const StrategyAnswer& answer) {
  return {answer.instance, int(kVertex), answer.solution.strategies.front().choice[kVertex], {}, {}};
}

StrategyNeed needOn(const QString& axes) {
  StrategyNeed need;
  need.axes = test::valueOf(withReduction(test::valueOf(parseAxes(axes.toStdString())), "0"));
  need.operators = {"fc1"};
  need.bytes = Bytes(1e6);
  return need;
}

QString textOf(const std::vector<Axis>& axes) {
  QStringList texts;
  for (const Axis& axis : axes) texts << QString::fromStdString(axis.name) + "=" + QString::number(axis.size);
  return texts.join(',');
}

}  // namespace

class TestStrategyModels : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void configurationsOfAVertex() {
    ConfigurationsModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    const auto answer = test::answerOf(test::strategyWorkspace(), 1);
    const ConfigurationDomain& domain = answer->instance->problem.domainOf(kVertex);
    model.show(stateOf(*answer));
    QCOMPARE(model.rowCount(), int(domain.configurations.size()));
    const int chosen = int(answer->solution.strategies.front().choice[kVertex]);
    for (int row = 0; row < model.rowCount(); ++row) {
      const QString split = model.index(row, ConfigurationsModel::SplitColumn).data().toString();
      QCOMPARE(split.startsWith("★ "), row == chosen);
      QVERIFY2(split.endsWith(marksOf(*answer->instance, kVertex, std::size_t(row))), qPrintable(split));
      QCOMPARE(model.index(row, ConfigurationsModel::CostColumn).data(ConfigurationsModel::kSortRole).toDouble(),
               domain.costs[std::size_t(row)]);
      QCOMPARE(model.index(row, ConfigurationsModel::TotalColumn).data().toString(), "–");
    }
    QCOMPARE(model.index(0, ConfigurationsModel::SplitColumn).data().toString().remove("★ "), "whole");
  }

  void totalsArriveWithoutAReset() {
    ConfigurationsModel model;
    const auto answer = test::answerOf(test::strategyWorkspace(), 1);
    ConfigurationsModel::State state = stateOf(*answer);
    model.show(state);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    state.totals.assign(std::size_t(model.rowCount()), 0.25);
    model.show(state);
    QCOMPARE(reset.count(), 0);
    QCOMPARE(model.index(0, ConfigurationsModel::TotalColumn).data().toString(), "250 ms");
  }

  void checkingPins() {
    ConfigurationsModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    const auto answer = test::answerOf(test::strategyWorkspace(), 1);
    ConfigurationsModel::State state = stateOf(*answer);
    model.show(state);
    std::vector<std::optional<std::size_t>> wanted;
    connect(&model, &ConfigurationsModel::pinWanted, &model,
            [&wanted](int vertex, std::optional<std::size_t> configuration) {
              QCOMPARE(vertex, int(kVertex));
              wanted.push_back(configuration);
            });
    const QModelIndex second = model.index(1, ConfigurationsModel::PinColumn);
    QVERIFY(second.flags().testFlag(Qt::ItemIsUserCheckable));
    QVERIFY(model.setData(second, Qt::Checked, Qt::CheckStateRole));
    QVERIFY(!model.setData(second, "2", Qt::EditRole));
    QCOMPARE(second.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));  // until the workspace says so
    state.pinned = 1;
    model.show(state);
    QCOMPARE(second.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
    QVERIFY(model.setData(second, Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY((wanted == std::vector<std::optional<std::size_t>>{1, std::nullopt}));
  }

  void ranksStrategies() {
    StrategiesModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    const auto answer = test::answerOf(test::strategyWorkspace(), 5);
    QVERIFY(model.show(answer));
    QVERIFY(!model.show(answer));
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.index(0, StrategiesModel::RankColumn).data().toString(), "★ 1");
    QCOMPARE(model.index(0, StrategiesModel::ExtraCostColumn).data().toString(), "–");
    QCOMPARE(model.index(0, StrategiesModel::DifferentColumn).data().toString(), "0");
    for (int row = 1; row < 5; ++row) {
      QVERIFY(model.index(row, StrategiesModel::ExtraCostColumn).data().toString().startsWith("+"));
      const int different = model.index(row, StrategiesModel::DifferentColumn).data().toInt();
      QVERIFY(different > 0);
      const QString toolTip = model.index(row, 0).data(Qt::ToolTipRole).toString();
      QCOMPARE(toolTip.count(" instead of "), different);
    }
  }

  void listsNeeds() {
    NeedsModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    Workspace workspace = test::strategyWorkspace();
    workspace.strategy.options.model = StrategyCostModel::Hierarchical;
    const auto answer = test::answerOf(workspace, 1);
    auto prices = test::valueOf(StrategyPrices::of(*answer->instance));
    model.show(test::valueOf(needsOf(*answer->instance, answer->best(), prices)));
    QVERIFY(model.rowCount() > 0);
    for (int row = 0; row < model.rowCount(); ++row) {
      const StrategyNeed& need = *model.at(row);
      const QModelIndex placement = model.index(row, NeedsModel::PlacementColumn);
      QCOMPARE(placement.data(Qt::UserRole).toString(), QString::fromStdString(need.matrix.text()));
      QVERIFY(checkMatrix(workspace.system, need.axes, need.matrix).ok());
      QVERIFY(placement.data(Qt::ToolTipRole).toString().contains(QString::fromStdString(need.program)));
      QVERIFY(!model.index(row, NeedsModel::CollectiveColumn).data().toString().isEmpty());
    }
    QVERIFY(!model.at(-1) && !model.at(model.rowCount()));
  }

  // Where parts lie and what redistributes them is in words what the mapping has in numbers.
  void saysWhereAStrategyLies() {
    Workspace workspace = test::strategyWorkspace();
    workspace.strategy.options.model = StrategyCostModel::Hierarchical;
    const auto answer = test::answerOf(workspace, 1);
    const StrategyInstance& instance = *answer->instance;
    const Strategy& strategy = answer->solution.strategies.front();
    QVERIFY2(meshWords(instance).contains(" (x)") && meshWords(instance).contains(" placed by [["),
             qPrintable(meshWords(instance)));
    const StrategyPicture picture = pictureOf(instance, {}, strategy, strategy);
    int split = 0;
    for (std::size_t v = 0; v < picture.vertices.size(); ++v) {
      const bool whole = picture.vertices[v].marks == "whole";
      QCOMPARE(placeWords(instance, v, strategy.choice[v]) == "All devices repeat its work.", whole);
      if (!whole) QVERIFY(placeWords(instance, v, strategy.choice[v]).contains(". Device 0 has "));
      split += !whole;
    }
    QVERIFY(split > 0);
    for (const auto& edge : picture.edges) QCOMPARE(edge.by.isEmpty(), edge.share == 0);
  }

  void axesFillTheSystem_data() {
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("placed");
    QTest::newRow("all devices") << "m=4,k=2"
                                 << "m=4,k=2";
    QTest::newRow("a quarter of them") << "m=2"
                                       << "m=2,copies=4";
    QTest::newRow("copies already") << "m=2,copies=2"
                                    << "m=2,copies=4";
    QTest::newRow("not evenly") << "m=3"
                                << "";
  }
  void axesFillTheSystem() {
    QFETCH(QString, axes);
    QFETCH(QString, placed);
    const auto result = axesOn(needOn(axes), 8);
    QCOMPARE(result.ok() ? textOf(*result) : QString(), placed);
    if (result.ok()) QVERIFY(result->front().reduce);
  }

  void paintsSharesOfTheCost() {
    const Workspace workspace = test::strategyWorkspace();
    Pins pins(test::instanceOf(workspace)->problem.vertices.size());
    pins[kVertex] = 0;
    const auto answer = test::answerOf(workspace, 2, pins);
    const auto& strategies = answer->solution.strategies;
    const StrategyPicture picture = pictureOf(*answer->instance, pins, strategies[1], strategies[0]);
    double shares = 0;
    for (const auto& vertex : picture.vertices) shares += vertex.share;
    for (const auto& edge : picture.edges) shares += edge.share;
    QVERIFY(qAbs(shares - 1) < 1e-9);
    for (std::size_t v = 0; v < picture.vertices.size(); ++v) {
      QCOMPARE(picture.vertices[v].pinned, v == kVertex);
      QCOMPARE(picture.vertices[v].instead.isEmpty(), strategies[0].choice[v] == strategies[1].choice[v]);
      QCOMPARE(picture.textOf(v).contains("the best strategy has"), !picture.vertices[v].instead.isEmpty());
    }
    QCOMPARE(picture.vertices[kVertex].marks, "whole");
    QVERIFY(picture.textOf(kVertex).endsWith("; pinned"));
  }
};

QTEST_MAIN(TestStrategyModels)
#include "tst_strategy_models.moc"
