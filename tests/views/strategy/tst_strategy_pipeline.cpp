// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFileDialog>
#include <QScrollBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include "mapping/axis_names.h"
#include "mapping/strategy_plan.h"
#include "pipeline/pipeline_plan.h"
#include "tests/views/strategy/strategy_window.h"
#include "text/text_file.h"
#include "views/strategy/comparison_bars.h"
#include "views/strategy/pipeline_panel.h"
#include "views/strategy/pipeline_timeline.h"

using namespace p2;
using namespace p2::views;

namespace {

constexpr int kUntilFound = 600'000;  // milliseconds, where sanitizers and others have the processors

/// Llama 3 8B on two nodes: eight microbatches of two sequences.
Workspace llamaWorkspace() {
  Workspace workspace = test::workspaceOf("node:2@25GB/s,2us gpu:8@450GB/s,1us", "data=16", "data");
  workspace.strategy.graph = "llama3-8b";
  workspace.strategy.batch = 2;
  workspace.strategy.sequence = 4096;
  GraphCostOptions& options = workspace.strategy.options;
  options.model = StrategyCostModel::Hierarchical;
  options.space.cutoff = 1;
  options.flops = 989e12;
  options.bytesPerElement = Bytes(2);
  options.deviceMemory = Bytes(80e9);
  options.memory = {Optimizer::Adam, 1, Recomputation::Selective};
  options.microbatches = 8;
  return workspace;
}

}  // namespace

/// The graph as a pipeline: asked for, drawn over time, listed, and named in the graph.
class TestStrategyPipeline : public QObject, private test::StrategyWindow {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }

  void findsStagesAndNamesThem() {
    session->edit("A model", llamaWorkspace());
    find<QTabWidget>("strategyDetails")->setCurrentIndex(4);
    QTRY_VERIFY_WITH_TIMEOUT(settled(), kUntilFound);
    auto* number = find<QComboBox>("strategyStages");
    QCOMPARE(number->count(), 1 + 5);  // auto, and the divisors of 16
    number->setCurrentIndex(number->findText("4"));
    auto* table = find<QTableView>("strategyStagesTable");
    const QAbstractItemModelTester tester(table->model());
    QCOMPARE(table->model()->rowCount(), 0);
    QTest::mouseClick(find<QPushButton>("strategyStagesButton"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 4, kUntilFound);
    // What the core says of the same question.
    const auto question = questionOf(*session->workspace());
    const PipelineAnswer expected = test::valueOf(findPipeline({question, 4}, {}, {}));
    QVERIFY(find<QLabel>("strategyStagesWords")->text().contains(pipelineWords(expected)[0]));
    QVERIFY(find<QLabel>("strategyStagesWords")->text().contains("8 microbatches take 11 slots"));
    // Degrees next to the time, and what is not modelled only on demand.
    const QString degrees = QString::fromStdString(degreesText(degreesOf(expected.pipeline)));
    QVERIFY(degrees.startsWith("pp 4 · ") && find<QLabel>("strategyStagesWords")->text().contains(degrees));
    auto* unmodelled = find<QLabel>("strategyStagesUnmodelled");
    QVERIFY(!unmodelled->isVisible());
    QTest::mouseClick(find<QToolButton>("strategyStagesUnmodelledSwitch"), Qt::LeftButton);
    QVERIFY(unmodelled->isVisible() && unmodelled->text().contains("Not modelled: "));
    const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
    QCOMPARE(cell(0, PipelineStagesModel::FlightColumn), "4");
    QCOMPARE(cell(3, PipelineStagesModel::FlightColumn), "1");
    QVERIFY(cell(3, PipelineStagesModel::OperatorsColumn).contains("loss"));
    // Folded layers lie in several stages, the loss in the last.
    bool several = false;
    int named = 0;
    for (int v = 0; v < graph()->vertexCount(); ++v) {
      const StrategyPicture::Vertex& vertex = graph()->picture().vertices[std::size_t(v)];
      QVERIFY2(!vertex.stage.isEmpty(), qPrintable(vertex.name));
      several = several || vertex.stage == "stages 1–4";
      if (vertex.name != "loss" && vertex.name != "embedding") continue;
      ++named;
      QCOMPARE(vertex.stage, vertex.name == "loss" ? "stage 4" : "stage 1");
    }
    QCOMPARE(named, 2);
    QVERIFY(several);
    QVERIFY(graph()->picture().textOf(0).contains("stage 1 of the pipeline"));
    // Of another question they are old, and the graph names none.
    Workspace other = *session->workspace();
    other.strategy.options.microbatches = 9;
    session->edit("More passes", other);
    QTRY_VERIFY_WITH_TIMEOUT(settled(), kUntilFound);
    for (const auto& vertex : graph()->picture().vertices) QCOMPARE(vertex.stage, "");
    QVERIFY(!find<QLabel>("strategyStagesWords")->isEnabled());
    // Those of another graph go, and come back with it.
    other.strategy.graph = "mlp";
    session->edit("Another graph", other);
    QCOMPARE(table->model()->rowCount(), 0);
    session->undoStack().undo();
    QCOMPARE(table->model()->rowCount(), 4);
  }

  void isComparedAndBecomesTheWorkload() {
    session->edit("A model", llamaWorkspace());
    find<QTabWidget>("strategyDetails")->setCurrentIndex(4);
    QTRY_VERIFY_WITH_TIMEOUT(settled(), kUntilFound);
    const auto& bars = find<ComparisonBars>("strategyComparison")->bars();
    const std::size_t before = bars.size();
    auto* workload = find<QToolButton>("strategyStagesWorkload");
    QVERIFY(!workload->isEnabled());
    auto* number = find<QComboBox>("strategyStages");
    number->setCurrentIndex(number->findText("4"));
    QTest::mouseClick(find<QPushButton>("strategyStagesButton"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bars.size(), before + 3, kUntilFound);
    const PipelineQuestion question{questionOf(*session->workspace()), 4};
    QCOMPARE(bars[before].name, "best with 4 stages");
    QCOMPARE(*bars[before].cost, test::valueOf(findPipeline(question, {}, {})).pipeline.cost);
    const auto baselines = test::valueOf(pipelineBaselinesOf(question, {}, {}));
    for (std::size_t i = 0; i < 2; ++i) {
      const ComparisonBars::Bar& bar = bars[before + 1 + i];
      QCOMPARE(bar.name, i == 0 ? "Megatron TP + PP" : "Megatron TP + SP + PP");
      QCOMPARE(*bar.cost, baselines[i].cost);
      QVERIFY(bar.meaning.contains("4 stages") && bar.meaning.contains(": pp 4 · "));
    }
    // It is the document's by one edit that can be undone.
    QTest::mouseClick(workload, Qt::LeftButton);
    auto* message = find<QLabel>("strategyStagesMessage");
    QTRY_VERIFY_WITH_TIMEOUT(message->text().startsWith("✓ workload replaced: "), kUntilFound);
    const Workspace document = *session->workspace();
    QVERIFY(document.workload);
    QCOMPARE(document.axes.front().name, "pipeline");
    QCOMPARE(document.axes.front().size, 4);
    QCOMPARE(session->undoStack().undoText(), "Use the pipeline as workload");
    session->undoStack().undo();
    QVERIFY(!session->workspace()->workload);
    // Of another question neither is left.
    Workspace other = *session->workspace();
    other.strategy.options.microbatches = 9;
    session->edit("More passes", other);
    QTRY_VERIFY_WITH_TIMEOUT(settled(), kUntilFound);
    QCOMPARE(bars.size(), before);
    QVERIFY(!workload->isEnabled());
  }

  void isExported() {
    session->edit("A model", llamaWorkspace());
    find<QTabWidget>("strategyDetails")->setCurrentIndex(4);
    QTRY_VERIFY_WITH_TIMEOUT(settled(), kUntilFound);
    auto* button = find<QToolButton>("strategyStagesExport");
    auto* message = find<QLabel>("strategyStagesMessage");
    QVERIFY(!button->isEnabled());
    QTemporaryDir folder;
    for (const char* stages : {"4", "1"}) {
      auto* number = find<QComboBox>("strategyStages");
      number->setCurrentIndex(number->findText(stages));
      QTest::mouseClick(find<QPushButton>("strategyStagesButton"), Qt::LeftButton);
      QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled() && settled(), kUntilFound);
      const QString path = folder.filePath(QStringLiteral("%1.json").arg(stages));
      exportTo(button, path);
      QTRY_COMPARE(message->text(), QStringLiteral("✓ written to %1").arg(path));
      // p2 strategy --evaluate reads it.
      const PipelineAnswer found =
          test::valueOf(findPipeline({questionOf(*session->workspace()), atoi(stages)}, {}, {}));
      const std::string text = test::valueOf(readTextFile(path.toStdString()));
      QCOMPARE(text, pipelineToJson(found.graph(), found.pipeline));
      const StrategyPlan plan = test::valueOf(strategyPlanFromJson(text, found.graph()));
      QCOMPARE(plan.pins.size(), found.graph().operators.size());
    }
    exportTo(button, "/nonexistent/pipeline.json");
    QTRY_VERIFY2(message->text().startsWith("✗") && message->text().contains("/nonexistent/pipeline.json"),
                 qPrintable(message->text()));
  }

  void theirNumberIsPartOfTheDocument() {
    session->edit("A model", llamaWorkspace());
    find<QTabWidget>("strategyDetails")->setCurrentIndex(4);
    auto* number = find<QComboBox>("strategyStages");
    number->setFocus();
    QTest::keyClick(number, Qt::Key_4);
    QCOMPARE(number->currentText(), "4");
    QCOMPARE(session->workspace()->strategy.stages, 4);
    QCOMPARE(session->undoStack().undoText(), "Choose stages: 4");
    session->undoStack().undo();
    QCOMPARE(number->currentText(), "auto");
    // A number that the devices cannot be assigned to is shown, and refused in a sentence when it is asked for.
    Workspace odd = llamaWorkspace();
    odd.strategy.stages = 3;
    session->edit("Three stages", odd);
    QCOMPARE(number->currentText(), "3");
    QTest::mouseClick(find<QPushButton>("strategyStagesButton"), Qt::LeftButton);
    auto* message = find<QLabel>("strategyStagesMessage");
    QTRY_VERIFY_WITH_TIMEOUT(message->isVisibleTo(message->window()) && message->text().contains("3"), kUntilFound);
  }

  void timelineSaysWhatIsWhere() {
    PipelineTimeline timeline;
    timeline.resize(600, 200);
    timeline.setVisible(true);
    const auto answer =
        std::make_shared<const PipelineAnswer>(test::valueOf(findPipeline({questionOf(llamaWorkspace()), 4}, {}, {})));
    timeline.show(answer);
    const PipelineSchedule& schedule = *answer->schedule;
    QCOMPARE(schedule.stages.size(), std::size_t{4});
    timeline.setWhole(true);
    QCOMPARE(timeline.horizontalScrollBar()->maximum(), 0);
    for (std::size_t stage = 0; stage < 4; ++stage) {
      for (const PipelineCell& cell : schedule.stages[stage]) {
        const QRectF rect = timeline.rectOf(stage, cell);
        QVERIFY(rect.right() <= timeline.viewport()->width());
        if (rect.width() < 3) continue;
        QCOMPARE(timeline.textAt(rect.center().toPoint()), cellText(*answer, stage, cell));
      }
    }
    // The last stage waits for the first pass to reach it.
    const PipelineCell& begins = schedule.stages[3].front();
    const QRectF first = timeline.rectOf(3, begins);
    QVERIFY(timeline.textAt(QPoint(int(first.left()) - 4, int(first.center().y()))).startsWith("stage 4 waits"));
    QCOMPARE(timeline.textAt({1, 1}), "");
    QVERIFY(timeline.accessibleDescription().contains("11 slots"));
    // Wide enough to be read, it scrolls.
    timeline.setWhole(false);
    timeline.resize(300, 200);
    QVERIFY(timeline.rectOf(0, schedule.stages[0].front()).width() > 10);
    QTRY_VERIFY(timeline.horizontalScrollBar()->maximum() > 0);
  }

  // The flat model has no devices for stages to lie on.
  void saysWhatIsMissing() {
    find<QTabWidget>("strategyDetails")->setCurrentIndex(4);
    QVERIFY(!find<QPushButton>("strategyStagesButton")->isEnabled());
    // The empty page says what to do, with the button for it.
    QVERIFY(!find<QTableView>("strategyStagesTable")->isVisible());
    QTest::mouseClick(pageButton("Use the hierarchical model"), Qt::LeftButton);
    QVERIFY(session->workspace()->strategy.options.model == StrategyCostModel::Hierarchical);
    QVERIFY(pageButton("Find the best pipeline") != nullptr);
    session->undoStack().undo();
    QVERIFY(!findPipeline({questionOf(*session->workspace()), 2}, {}, {}).ok());
    Workspace small = llamaWorkspace();
    small.strategy.options.deviceMemory = Bytes(1e9);
    QVERIFY(findPipeline({questionOf(small), 4}, {}, {}).error().text().find("use more devices") != std::string::npos);
  }

 private:
  QPushButton* pageButton(const QString& text) const {
    for (auto* button : view->findChildren<QPushButton*>())
      if (button->isVisible() && button->text().remove('&') == text) return button;
    return nullptr;
  }
  void exportTo(QToolButton* button, const QString& path) {
    QTest::mouseClick(button, Qt::LeftButton);
    auto* dialog = find<QFileDialog>("pipelineExportDialog");
    QTRY_VERIFY(dialog->isVisible());
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
  }
};

QTEST_MAIN(TestStrategyPipeline)
#include "tst_strategy_pipeline.moc"
