// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QBrush>
#include <QFont>
#include <QTest>

#include "graphs/strategy_json.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/literal/literal_join_model.h"
#include "views/literal/literal_lessons.h"
#include "views/literal/literal_table_model.h"
#include "views/literal/literal_text.h"

using namespace p2;
using namespace p2::views;
using Kind = LiteralMoment::Kind;

/// The tables, the words and the lessons of the literal algorithm, without widgets.
class TestLiteralModels : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }
  void lessonsTellTheirOptimum_data();
  void lessonsTellTheirOptimum();
  void lessonsShowWhatTheyPromise();
  void unknownLessons();
  void emptyModels();
  void tableStrikesOutWhatIsGone();
  void tableShowsTheSets();
  void longTablesComeInPieces();
  void joinGrowsToTheResult();
  void momentsAreTold_data();
  void momentsAreTold();
  void numbersAgree();
  void invariantIsTold();
  void configurationsAreTold();
};

namespace {

std::shared_ptr<const StrategyProblem> lesson(const QString& name) {
  return std::make_shared<const StrategyProblem>(test::valueOf(readLesson(name)));
}

std::shared_ptr<const LiteralRun> runOf(const QString& name, LiteralOptions options = {}) {
  return test::valueOf(runLiterally(lesson(name), options));
}

/// Two vertices of 20 configurations.
std::shared_ptr<const LiteralRun> longRun() {
  StrategyProblem problem;
  ConfigurationDomain domain;
  for (std::int64_t i = 0; i < 20; ++i) {
    domain.configurations.push_back({i + 1});
    domain.costs.push_back(double(20 - i));
  }
  problem.domains = {domain};
  problem.vertices = {{"a", 0}, {"b", 0}};
  problem.tables = {{20, 20, std::vector<double>(400, 1)}};
  problem.edges = {{0, 1, 0}};
  return test::valueOf(runLiterally(std::make_shared<const StrategyProblem>(problem), {}));
}

std::size_t momentOf(const LiteralRun& run, Kind kind) {
  const auto& moments = run.trace().moments;
  const auto found =
      std::find_if(moments.begin(), moments.end(), [kind](const auto& moment) { return moment.kind == kind; });
  return std::size_t(found - moments.begin());
}

bool isStruck(const QModelIndex& index) { return index.data(Qt::FontRole).value<QFont>().strikeOut(); }

}  // namespace

void TestLiteralModels::lessonsTellTheirOptimum_data() {
  QTest::addColumn<QString>("name");
  for (const LiteralLesson& lesson : literalLessons()) QTest::newRow(qPrintable(lesson.name)) << lesson.name;
}

void TestLiteralModels::lessonsTellTheirOptimum() {
  QFETCH(QString, name);
  QFile file(QStringLiteral(P2_RESOURCES) + "/lessons/literal/" + name + ".json");
  QVERIFY(file.open(QIODevice::ReadOnly));
  const StrategyFile reported = test::valueOf(strategyFileFromJson(file.readAll().toStdString()));
  const auto strategy = runOf(name)->solution.strategy;
  QVERIFY(strategy->cost == reported.bestCost);
  QVERIFY(strategy->choice == reported.bestChoice);
}

void TestLiteralModels::lessonsShowWhatTheyPromise() {
  const auto unrepaired = [](const LiteralLesson& lesson) {
    return runOf(lesson.name, {.ties = LiteralOptions::Ties::Arbitrary, .seed = lesson.seed});
  };
  QCOMPARE(unrepaired(literalLessons()[0])->solution.strategy->cost, 1.0);
  QVERIFY(!unrepaired(literalLessons()[1])->solution.strategy);
  const auto diamond = runOf("diamond");
  for (const auto& fates : diamond->trace().fates) {
    QVERIFY(std::none_of(fates.begin(), fates.end(),
                         [](const RowFate& fate) { return fate.cause == RowFate::Cause::Tied; }));
  }
}

void TestLiteralModels::unknownLessons() {
  const auto missing = readLesson("square");
  QVERIFY(!missing.ok());
  QVERIFY(QString::fromStdString(missing.error().text()).contains("\"square\""));
}

void TestLiteralModels::emptyModels() {
  LiteralTableModel table;
  LiteralJoinModel join;
  const QAbstractItemModelTester tableTester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const QAbstractItemModelTester joinTester(&join, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const auto run = runOf("chain");
  table.show(run, 0, 0);
  join.show(run, run->trace().moments.size() - 1);
  table.show(nullptr, 0, 0);
  join.show(nullptr, 0);
  QCOMPARE(table.rowCount(), 0);
  QCOMPARE(join.rowCount(), 0);
  QCOMPARE(table.firstGoing(), -1);
  QCOMPARE(join.bestRow(), -1);
}

void TestLiteralModels::tableStrikesOutWhatIsGone() {
  const auto run = runOf("diamond");
  LiteralTableModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  for (std::size_t vertex = 0; vertex < 4; ++vertex) {
    for (std::size_t moment = 0; moment < run->trace().moments.size(); ++moment) {
      model.show(run, vertex, moment);
      QCOMPARE(model.rowCount(), 27);
      int alive = 0;
      for (int row = 0; row < model.rowCount(); ++row) {
        const bool gone = !run->trace().isAlive(vertex, std::uint64_t(row), moment);
        const bool now = run->trace().fates[vertex][std::size_t(row)].moment == moment;
        const QModelIndex why = model.index(row, model.columnCount() - 1);
        QCOMPARE(isStruck(model.index(row, 0)), gone);
        QCOMPARE(!why.data().toString().isEmpty(), gone);
        QCOMPARE(why.data(Qt::BackgroundRole).value<QBrush>().style() == Qt::BDiagPattern, now);
        alive += gone ? 0 : 1;
      }
      QVERIFY2(model.title().endsWith(QString(": %1 of 27 rows").arg(alive)), qPrintable(model.title()));
    }
  }
}

void TestLiteralModels::tableShowsTheSets() {
  const auto run = runOf("chain");
  LiteralTableModel model;
  model.show(run, 0, momentOf(*run, Kind::Partition));
  QStringList sets;
  for (int row = 0; row < model.rowCount(); ++row)
    sets.append(model.index(row, LiteralTableModel::SetColumn).data().toString());
  QCOMPARE(sets, QStringList({"A", "A", "B", "B"}));
  QVERIFY(model.index(0, 0).data(Qt::BackgroundRole).isValid());
  QVERIFY(!model.index(2, 0).data(Qt::BackgroundRole).isValid());
  model.show(run, 0, momentOf(*run, Kind::Best));
  QCOMPARE(model.index(0, LiteralTableModel::SetColumn).data().toString(), QString("A ★"));
  QCOMPARE(model.index(1, LiteralTableModel::SetColumn).data().toString(), QString("A"));
  QCOMPARE(model.index(1, model.columnCount() - 1).data().toString(),
           QString("row 1 of set A costs as little and comes first"));
  QCOMPARE(model.firstGoing(), 1);
}

void TestLiteralModels::longTablesComeInPieces() {
  const auto run = longRun();
  LiteralTableModel table;
  table.show(run, 0, 0);
  QCOMPARE(table.rowCount(), LiteralTableModel::kPiece);
  QVERIFY(table.canFetchMore({}));
  table.fetchMore({});
  QCOMPARE(table.rowCount(), 400);
  QVERIFY(!table.canFetchMore({}));
  table.show(run, 0, 1);
  QCOMPARE(table.rowCount(), 400);
  table.show(run, 1, 1);
  QCOMPARE(table.rowCount(), LiteralTableModel::kPiece);
  // It fetches what is left, and looks at how that is done.
  const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QCOMPARE(table.rowCount(), 400);
}

void TestLiteralModels::joinGrowsToTheResult() {
  const auto run = runOf("chain");
  const std::size_t last = run->trace().moments.size() - 1;
  LiteralJoinModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.show(run, last - 4);
  QCOMPARE(model.columnCount(), 3);  // v0 and its only neighbour, and the cost
  QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Cost so far"));
  model.show(run, last);
  QCOMPARE(model.columnCount(), 5);
  QCOMPARE(model.headerData(4, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Cost"));
  QCOMPARE(model.rowCount(), int(run->solution.statistics.strategies));
  int stars = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    stars += model.index(row, 4).data().toString().startsWith("★ ") ? 1 : 0;
  }
  QCOMPARE(stars, 1);
  QCOMPARE(model.index(model.bestRow(), 4).data().toString(), QString("★ 0"));
  model.show(run, 0);
  QCOMPARE(model.rowCount(), 0);
}

void TestLiteralModels::momentsAreTold_data() {
  QTest::addColumn<int>("moment");
  QTest::addColumn<QString>("lines");
  QTest::addColumn<QString>("words");
  QTest::newRow("tables") << 0 << "PaSE, Alg. 1, lines 5–14"
                          << "24 rows in all.";
  QTest::newRow("choose")
      << 1 << "PaSE, Alg. 1, line 18"
      << "v_min is v0: no vertex has fewer unprocessed neighbours than its 1. v3 has equally few; the "
         "first is taken.";
  QTest::newRow("partition")
      << 2 << "PaSE, Alg. 1, lines 19–20"
      << "4 rows of v0's table, in 2 sets by the configurations of v1: rows of one set differ in "
         "v0 alone.";
  QTest::newRow("best")
      << 3 << "PaSE, Alg. 1, lines 22–26"
      << "Only the best row of each set stays: 2 of 4 rows remain. 2 removed rows cost no more than those "
         "that stay; the lowest configuration is preferred.";
  QTest::newRow("restrict") << 4 << "PaSE, Alg. 1, lines 27–32"
                            << "v1's rows must agree with a row of v0 on v0, v1: of 8 rows 4 remain.";
}

void TestLiteralModels::momentsAreTold() {
  QFETCH(int, moment);
  QFETCH(QString, words);
  const auto run = runOf("chain");
  QTEST(linesText(*run, std::size_t(moment)), "lines");
  QVERIFY2(momentText(*run, std::size_t(moment)).endsWith(words), qPrintable(momentText(*run, std::size_t(moment))));
}

// One row remains, several vertices have equally few neighbours.
void TestLiteralModels::numbersAgree() {
  const auto ring = runOf("cycle");
  QVERIFY2(momentText(*ring, 1).endsWith("v1, v2, v3 have equally few; the first is taken."),
           qPrintable(momentText(*ring, 1)));
  int alone = 0;
  for (const char* name : {"chain", "cycle"}) {
    const auto run = runOf(name);
    const auto& moments = run->trace().moments;
    for (std::size_t at = 0; at < moments.size(); ++at) {
      if (moments[at].kind != LiteralMoment::Kind::Best || moments[at].after != 1) continue;
      const QString text = momentText(*run, at);
      QVERIFY2(text.contains("stays: 1 of ") && text.contains(" remains."), qPrintable(text));
      ++alone;
    }
  }
  QVERIFY(alone > 0);
}

void TestLiteralModels::invariantIsTold() {
  const auto good = runOf("chain");
  QCOMPARE(invariantText(*good, 0).kind, InlineMessage::Kind::Good);
  QVERIFY(invariantText(*good, 0).sentence.endsWith("16 valid strategies, the cheapest costs 0, the optimum."));
  const auto bad = runOf("cycle", {.ties = LiteralOptions::Ties::Arbitrary, .seed = literalLessons()[1].seed});
  const std::size_t last = bad->trace().moments.size() - 1;
  QCOMPARE(invariantText(*bad, last).kind, InlineMessage::Kind::Problem);
  QVERIFY(invariantText(*bad, last).sentence.endsWith("no valid strategy is left, the optimum is 0."));
  int breaks = 0;
  for (std::size_t moment = 0; moment <= last; ++moment) {
    breaks += invariantText(*bad, moment).sentence.contains("breaks in this step") ? 1 : 0;
  }
  QCOMPARE(breaks, 1);
  QVERIFY(momentText(*bad, last).startsWith("No valid strategy is left"));
}

void TestLiteralModels::configurationsAreTold() {
  QCOMPARE(configurationText(*lesson("diamond"), 0, 1), QString("c1 (2, 1)"));
}

QTEST_MAIN(TestLiteralModels)
#include "tst_literal_models.moc"
