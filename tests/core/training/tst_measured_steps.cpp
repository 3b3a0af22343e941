// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>
#include <cmath>

#include "base/median.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "text/text_file.h"
#include "training/frameworks.h"
#include "training/memory.h"
#include "training/training_runs.h"

using namespace p2;

namespace {

/// A row of tests/gpu/steps.py.
struct WholeStep {
  TrainingRun run;  ///< on one device of that name; `run.seconds` is measured
  bool compiled = false;
  bool ranOutOfMemory = false;
  double allocated = 0;  ///< bytes at the peak; 0: not measured
};

/// The row as resources/training/steps.csv has it.
TrainingRow publishedRow(const TrainingRow& row, const QString& device) {
  TrainingRow made{{"source", "tests/gpu/steps.py"},
                   {"table", "steps / " + device.toStdString()},
                   {"model", row.at("name")},
                   {"seq", row.at("sequence")},
                   {"gpus", "1"},
                   {"gpus_per_node", "1"},
                   {"precision", "bf16"},
                   {"gpu_type", device.toStdString()},
                   {"framework", "PyTorch FSDP2"},
                   {"zero_stage_or_fsdp", "FULL_SHARD"},
                   {"step_seconds", row.at("seconds")}};
  for (const char* same : {"layers", "hidden", "heads", "kv_heads", "ffn", "vocab", "micro_batch", "recompute"}) {
    made[same] = row.at(same);
  }
  if (row.at("style") == "mixture") {
    for (const char* same : {"experts", "topk"}) made[same] = row.at(same);
  }
  made["global_batch_sequences"] = std::to_string(std::stoi(row.at("microbatches")) * std::stoi(row.at("micro_batch")));
  for (const char* degree : {"tp", "pp", "dp", "cp"}) made[degree] = "1";
  return made;
}

WholeStep wholeStepOf(const TrainingRow& row, const QString& device) {
  WholeStep step{runFromRow(publishedRow(row, device)), row.at("compiled") == "yes", row.at("oom") == "yes",
                 row.at("allocated_gb").empty() ? 0 : std::stod(row.at("allocated_gb")) * 1e9};
  test::valueOf(trainingFrameworkFrom(step.compiled ? "torchtitan" : "fsdp"))->applyDefaults(step.run.configuration);
  step.run.configuration.compiled = step.compiled;
  step.run.model.gatedMlp = row.at("style") != "gpt";
  if (row.at("style") == "mixture") step.run.model.sharedFfn = std::stoll(row.at("shared_ffn"));
  step.run.model.biases = false;
  step.run.model.tiedEmbeddings = false;
  step.run.model = resolved(step.run.model);
  return step;
}

std::vector<WholeStep> wholeStepsOf(const QString& file, const QString& device) {
  QString csv = QString::fromStdString(test::valueOf(readTextFile(P2_TEST_DATA "/steps/" + file.toStdString())));
  csv.remove(QRegularExpression("^#.*\n", QRegularExpression::MultilineOption));
  std::vector<WholeStep> steps;
  for (const TrainingRow& row : test::valueOf(trainingRowsFrom(csv.toStdString()))) {
    steps.push_back(wholeStepOf(row, device));
  }
  return steps;
}

}  // namespace

/// The step model against whole steps on one GPU (tests/gpu/steps.py): no constant was fitted to them. The steps are
/// bare loops, so that the fixed cost of a step (`step-floor`: data, logging) is left out of the predictions.
class TestMeasuredSteps : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void hopper_data() {
    QTest::addColumn<QString>("device");
    QTest::addColumn<std::size_t>("rows");
    QTest::addColumn<double>("mostTimeError");
    QTest::addColumn<double>("mostMemoryError");
    QTest::addColumn<std::size_t>("compiledRows");
    const auto file = [](const char* name, const char* device, std::size_t rows, double time, double memory,
                         std::size_t compiled = 0) {
      QTest::newRow(name) << QString(device) << rows << time << memory << compiled;
    };
    file("h100.csv", "H100", 52, .08, .05, 11);
    file("h200.csv", "H200", 41, .08, .05);
    file("h100-microbatches.csv", "H100", 9, .12, 0);
    file("h100-mixtures.csv", "H100", 25, .18, .07, 5);
  }

  void hopper() {
    QFETCH(const QString, device);
    QFETCH(const std::size_t, rows);
    QFETCH(const double, mostTimeError);
    QFETCH(const double, mostMemoryError);
    const std::vector<WholeStep> steps = wholeStepsOf(QTest::currentDataTag(), device);
    QCOMPARE(steps.size(), rows);
    std::vector<double> times;
    std::vector<double> compiledTimes;
    std::vector<double> peaks;
    int tooLarge = 0;
    for (const WholeStep& step : steps) {
      const TrainingRun& run = step.run;
      const TrainingMemory memory = peakMemory(run.model, run.configuration);
      if (step.ranOutOfMemory) {
        QVERIFY(memory.total() + defaultMemoryReserve(run.accelerator.memory) > run.accelerator.memory);
        ++tooLarge;
        continue;
      }
      const StepEstimate estimate = test::valueOf(estimateRun(run));
      const double floor = constantsFor(run.configuration, run.accelerator)[StepConstant::StepFloor];
      const double timeError = std::log((estimate.seconds - floor) / run.seconds);
      const double memoryError = std::log(memory.total() / step.allocated);
      times.push_back(std::abs(timeError));
      if (step.compiled) compiledTimes.push_back(std::abs(timeError));
      if (step.allocated > 0) peaks.push_back(std::abs(memoryError));
      const QString peak = step.allocated > 0 ? QString::asprintf("; %.1f GB, predicted %+3.0f %%",
                                                                  step.allocated / 1e9, 100 * std::expm1(memoryError))
                                              : QString();
      qInfo("%-15s %6lld tokens x %2lld, %lld microbatches, recompute %-4s%s: %.3f s, predicted %+3.0f %%%s",
            run.name.c_str(), static_cast<long long>(run.configuration.plan.sequence),
            static_cast<long long>(run.configuration.plan.microbatch),
            static_cast<long long>(run.configuration.plan.microbatches),
            run.configuration.recomputation == RecomputeKind::Full ? "full" : "none", step.compiled ? ", compiled" : "",
            run.seconds, 100 * std::expm1(timeError), qPrintable(peak));
    }
    qInfo("%zu steps: median error of time %.1f %%; %d out of memory, all called too large", times.size(),
          100 * upperMedianOf(times), tooLarge);
    QVERIFY(upperMedianOf(times) < mostTimeError);
    QTEST(compiledTimes.size(), "compiledRows");
    if (!compiledTimes.empty()) {
      qInfo("%zu compiled: median error of time %.1f %%", compiledTimes.size(), 100 * upperMedianOf(compiledTimes));
      QVERIFY(upperMedianOf(compiledTimes) < 0.08);
    }
    QCOMPARE(peaks.empty(), mostMemoryError == 0);
    if (peaks.empty()) return;
    qInfo("%zu peaks: median error of memory %.1f %%", peaks.size(), 100 * upperMedianOf(peaks));
    QVERIFY(upperMedianOf(peaks) < mostMemoryError);
  }
};

QTEST_APPLESS_MAIN(TestMeasuredSteps)
#include "tst_measured_steps.moc"
