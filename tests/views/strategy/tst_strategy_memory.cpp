// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

#include "base/units.h"
#include "tests/views/strategy/strategy_window.h"
#include "views/strategy/graph_view.h"
#include "views/strategy/strategies_model.h"

using namespace p2;
using namespace p2::views;

/// What a strategy's devices hold, what they have room for, and that the answer keeps to it.
class TestStrategyMemory : public QObject, private test::StrategyWindow {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() {
    setUp();
    QTest::mouseClick(find<QToolButton>("strategyMemoryBox"), Qt::LeftButton);
  }
  void cleanup() { clearAway(); }
  void everyAnswerSaysWhatItNeeds();
  void theStrategyKeepsToTheLimit();
  void aDeviceThatIsTooSmallIsNamed();
  void tooLittleIsSaid();
  void choicesAreEditsOfTheDocument();

 private:
  void typeLimit(const QString& text) {
    auto* limit = find<QLineEdit>("strategyLimit");
    limit->setFocus();
    limit->selectAll();
    QTest::keyClicks(limit, text);
    QTest::keyClick(limit, Qt::Key_Return);
  }
  /// Of the best strategy that is shown, by the problem's own tables.
  double bytesOfBest() const {
    const Workspace workspace = *session->workspace();
    const auto instance = test::valueOf(loadStrategy(questionOf(workspace)));
    const auto memory = instance->deviceMemory();
    const auto solved = test::valueOf(solveWithin(instance->problem, memory > Bytes(0) ? memory : Bytes(1e18)));
    return memoryOf(instance->problem, solved.solution.strategies.front().choice);
  }
};

void TestStrategyMemory::everyAnswerSaysWhatItNeeds() {
  const QString needed = QString::fromStdString(formatBytes(Bytes(bytesOfBest())));
  QVERIFY2(headline().contains(needed + " each"), qPrintable(headline()));
  QVERIFY(find<QLabel>("strategyHeadline")->toolTip().contains("optimizer"));
  auto* list = find<QTableView>("strategyList");
  QCOMPARE(list->model()->index(0, StrategiesModel::MemoryColumn).data().toString(), needed);
}

void TestStrategyMemory::theStrategyKeepsToTheLimit() {
  const double before = bytesOfBest();
  const Bytes limit(std::floor(0.6 * before / 1e3) * 1e3);
  typeLimit(QString::number(limit.value() / 1e3, 'f', 0) + "kB");
  QCOMPARE(session->workspace()->strategy.options.deviceMemory, std::optional(limit));
  QTRY_VERIFY(settled() && headline().contains(" of " + QString::fromStdString(formatBytes(limit))));
  QVERIFY(bytesOfBest() <= limit.value());
  const QString needed = QString::fromStdString(formatBytes(Bytes(bytesOfBest())));
  QVERIFY2(headline().contains(needed), qPrintable(headline()));
  // What a configuration would come to at best is told without the bound, which is said.
  const QString aside = "Best totals ignore the memory limit.";
  find<GraphView>("strategyGraph")->select(0);
  QTRY_VERIFY(find<QLabel>("strategyVertexNote")->text().contains(aside));
  session->undoStack().undo();
  QTRY_VERIFY(settled() && !headline().section("memory", 1).contains(" of "));
  QVERIFY(!find<QLabel>("strategyVertexNote")->text().contains(aside));
  QCOMPARE(find<QLineEdit>("strategyLimit")->text(), QString());
}

// Where no bound is asked for, what the devices that are drawn have is said beside what would not fit.
void TestStrategyMemory::aDeviceThatIsTooSmallIsNamed() {
  QVERIFY2(!headline().contains("a device here has"), qPrintable(headline()));
  Workspace next = *session->workspace();
  next.system.accelerator.memory = bytesOfBest() / 2;
  session->edit("Smaller devices", next);
  QTRY_VERIFY2(headline().contains(" (✗ a device here has "), qPrintable(headline()));
}

void TestStrategyMemory::tooLittleIsSaid() {
  typeLimit("1kB");
  auto* note = find<QLabel>("strategyNote");
  QTRY_VERIFY(note->isVisible() && note->text().contains("1.00 kB"));
  QVERIFY2(note->text().contains("the smallest strategy needs") && note->text().contains("ZeRO"),
           qPrintable(note->text()));
  typeLimit("many");
  auto* problem = find<QLabel>("strategyLimitProblem");
  QTRY_VERIFY(problem->isVisible() && problem->text().contains("many"));
  // A slip of three powers of ten is questioned, and taken when it is meant; a number alone has the unit shown.
  typeLimit("80GB");
  QTest::keyClick(find<QLineEdit>("strategyLimit"), Qt::Key_Return);
  typeLimit("90");
  QCOMPARE(session->workspace()->strategy.options.deviceMemory, std::optional(Bytes(90e9)));
  typeLimit("80MB");
  QVERIFY2(problem->text().contains("1125 times less than 90.0 GB"), qPrintable(problem->text()));
  QCOMPARE(session->workspace()->strategy.options.deviceMemory, std::optional(Bytes(90e9)));
  QTest::keyClick(find<QLineEdit>("strategyLimit"), Qt::Key_Return);
  QCOMPARE(session->workspace()->strategy.options.deviceMemory, std::optional(Bytes(80e6)));
  typeLimit("any");
  QCOMPARE(session->workspace()->strategy.options.deviceMemory, std::optional(Bytes(0)));
  QTRY_VERIFY(settled() && !note->isVisible());
}

void TestStrategyMemory::choicesAreEditsOfTheDocument() {
  const auto options = [&]() -> const GraphCostOptions& { return session->workspace()->strategy.options; };
  const GraphCostOptions before = options();
  for (const char* name : {"strategyElements", "strategyOptimizer", "strategyZero", "strategyRecomputation"}) {
    auto* box = find<QComboBox>(name);
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
  }
  QTest::keyClick(find<QSpinBox>("strategyPasses"), Qt::Key_Up);
  QCOMPARE(options().bytesPerElement, Bytes(4));
  QCOMPARE(options().memory, (MemoryOptions{Optimizer::Momentum, 1, Recomputation::Selective}));
  QCOMPARE(options().microbatches, std::int64_t(2));
  QCOMPARE(session->undoStack().count(), 5);
  for (int i = 0; i < 5; ++i) session->undoStack().undo();
  QCOMPARE(options(), before);
  QCOMPARE(find<QComboBox>("strategyZero")->currentIndex(), 0);
}

QTEST_MAIN(TestStrategyMemory)
#include "tst_strategy_memory.moc"
