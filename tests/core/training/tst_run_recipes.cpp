// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/warnings.h"
#include "training/training_runs.h"

using namespace p2;

namespace {

/// The run of a table with this measured step.
const TrainingRun* runOf(std::string_view table, double seconds) {
  for (const TrainingRun& run : trainingRuns()) {
    if (run.table == table && std::abs(run.seconds - seconds) < 1e-3 * seconds) return &run;
  }
  return nullptr;
}

}  // namespace

class TestRunRecipes : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  // Settings as the recipes of these releases have them (Megatron-Bridge, scripts/performance/configs at its tags and
  // src/megatron/bridge/perf_recipes), read by hand.
  void runsHaveTheirReleasesSettings_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("dispatch");
    QTest::addColumn<QString>("graphs");
    QTest::addColumn<bool>("overlaps");
    const auto row = [](const char* table, double seconds, const char* dispatch, const char* graphs, bool overlaps) {
      QTest::addRow("%s %g", table, seconds) << table << seconds << dispatch << graphs << overlaps;
    };
    row("Megatron-Bridge 26.08 / GB300 / DeepSeek-V3", 10.4224, "hybridep", "all", true);
    row("Megatron-Bridge archive / B300 / DeepSeek-V3", 18.5078, "hybridep", "layers", false);
    row("Megatron-Bridge archive / B200 / DeepSeek-V3", 19.6923, "deepep", "layers", true);
    row("Megatron-Bridge archive / B200 / DeepSeek-V3", 15.3193, "alltoall", "none", false);
    row("Megatron-Bridge archive / B200 / Qwen3 30B-A3B", 27.0503, "alltoall", "routing", false);
    row("Megatron-Bridge archive / GB200 / GPT-OSS 120B", 2.83, "hybridep", "all", true);
    row("Megatron-Bridge archive / H100-80GB / DeepSeek-V3", 25.2645, "deepep", "none", true);
    row("Megatron-Bridge skills / H100-80GB / Qwen3 30B-A3B", 24.7138, "hybridep", "routing", false);
    row("Megatron-Bridge skills / H100-80GB / Qwen3 30B-A3B", 20.992, "hybridep", "routing", true);
    row("llm-foundry / H100-80GB", 16.2685, "alltoall", "none", false);
  }
  void runsHaveTheirReleasesSettings() {
    QFETCH(QString, table);
    QFETCH(double, seconds);
    QFETCH(QString, dispatch);
    QFETCH(QString, graphs);
    QFETCH(bool, overlaps);
    const TrainingRun* run = runOf(table.toStdString(), seconds);
    QVERIFY(run != nullptr);
    const TrainingConfiguration& made = run->configuration;
    QCOMPARE(QString::fromUtf8(nameOf(made.dispatch).data()), dispatch);
    QCOMPARE(QString::fromUtf8(nameOf(made.graphs).data()), graphs);
    QCOMPARE(made.plan.expertOverlap, overlaps);
  }

  void modulesAreRecomputedAsInTheRecipe() {
    const auto modulesOf = [](const char* table, double seconds) {
      const TrainingRun* run = runOf(table, seconds);
      return run == nullptr ? QString("no such run")
                            : QString::fromStdString(recomputationName(recomputationOf(run->configuration)));
    };
    QCOMPARE(modulesOf("Megatron-Bridge archive / B200 / DeepSeek-V3", 19.6923), QString("mla_up_proj+mlp"));
    QCOMPARE(modulesOf("Megatron-Bridge archive / H100-80GB / GPT-OSS 120B", 14.0659), QString("layernorm+moe_act"));
    QCOMPARE(modulesOf("Megatron-Bridge 26.08 / GB300 / DeepSeek-V3", 10.4224), QString("none"));
  }

  // Fewer launches of the host and fewer bytes between nodes make a step shorter.
  void newerKernelsAreFaster() {
    const TrainingRun* run = runOf("Megatron-Bridge archive / B200 / DeepSeek-V3", 15.3193);
    QVERIFY(run != nullptr);
    TrainingRun made = *run;
    made.drawn = nullptr;
    const auto seconds = [&] { return estimateRun(made).value().seconds; };
    const double before = seconds();
    made.configuration.padsExperts = true;
    const double padded = seconds();
    made.configuration.padsExperts = false;
    made.configuration.dispatch = ExpertDispatch::HybridEp;
    const double once = seconds();
    made.configuration.graphs = GraphScope::Layers;
    const double layers = seconds();
    made.configuration.graphs = GraphScope::All;
    const double all = seconds();
    QVERIFY2(padded < before && once <= padded && layers < once && all < layers,
             qPrintable(QString("%1 %2 %3 %4 %5").arg(before).arg(padded).arg(once).arg(layers).arg(all)));
  }
};

QTEST_GUILESS_MAIN(TestRunRecipes)
#include "tst_run_recipes.moc"
