// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "support/fixtures.h"
#include "support/warnings.h"
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
  double allocated = 0;  ///< bytes at the peak
};

TrainingRow rowOfStep(const QStringList& titles, const QStringList& cells, const QString& device) {
  const auto text = [&](const char* title) { return cells[titles.indexOf(title)].toStdString(); };
  const int microbatches = cells[titles.indexOf("microbatches")].toInt();
  TrainingRow row{{"source", "tests/gpu/steps.py"},
                  {"table", "steps / " + device.toStdString()},
                  {"model", text("name")},
                  {"layers", text("layers")},
                  {"hidden", text("hidden")},
                  {"heads", text("heads")},
                  {"kv_heads", text("kv_heads")},
                  {"ffn", text("ffn")},
                  {"vocab", text("vocab")},
                  {"seq", text("sequence")},
                  {"micro_batch", text("micro_batch")},
                  {"gpus", "1"},
                  {"gpus_per_node", "1"},
                  {"gpu_type", device.toStdString()},
                  {"precision", "bf16"},
                  {"recompute", text("recompute")},
                  {"zero_stage_or_fsdp", "FULL_SHARD"},
                  {"framework", "PyTorch FSDP2"},
                  {"step_seconds", text("seconds")}};
  row["global_batch_sequences"] = std::to_string(microbatches * cells[titles.indexOf("micro_batch")].toInt());
  for (const char* degree : {"tp", "pp", "dp", "cp"}) row[degree] = "1";
  return row;
}

std::vector<WholeStep> wholeStepsOf(const QString& file, const QString& device) {
  QFile csv(QStringLiteral(P2_TEST_DATA "/steps/") + file);
  std::vector<WholeStep> steps;
  if (!csv.open(QIODevice::ReadOnly)) return steps;
  QStringList titles;
  for (const QString& line : QString::fromUtf8(csv.readAll()).split('\n', Qt::SkipEmptyParts)) {
    if (line.startsWith('#')) continue;
    const QStringList cells = line.split(',');
    if (titles.isEmpty()) {
      titles = cells;
      continue;
    }
    WholeStep step;
    step.run = runFromRow(rowOfStep(titles, cells, device));
    step.run.model.gatedMlp = cells[titles.indexOf("style")] == "llama";
    step.run.model.biases = false;
    step.run.model.tiedEmbeddings = false;
    step.run.model = resolved(step.run.model);
    step.run.seconds = cells[titles.indexOf("seconds")].toDouble();
    step.compiled = cells[titles.indexOf("compiled")] == "yes";
    test::valueOf(trainingFrameworkFrom(step.compiled ? "torchtitan" : "fsdp"))->applyDefaults(step.run.configuration);
    step.ranOutOfMemory = cells[titles.indexOf("oom")] == "yes";
    step.allocated = cells[titles.indexOf("allocated_gb")].toDouble() * 1e9;
    steps.push_back(step);
  }
  return steps;
}

double middleOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

/// The step model against whole steps on one GPU (tests/gpu/steps.py): no constant was fitted to them. The steps are
/// bare loops, so that the fixed cost of a step (`step-floor`: data, logging) is left out of the predictions.
class TestMeasuredSteps : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void hopper_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("H100") << "h100.csv";
    QTest::newRow("H200") << "h200.csv";
  }

  void hopper() {
    QFETCH(const QString, file);
    const std::vector<WholeStep> steps = wholeStepsOf(file, QTest::currentDataTag());
    QVERIFY(steps.size() > 40);
    std::vector<double> times;
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
      peaks.push_back(std::abs(memoryError));
      qInfo(
          "%-15s %6lld tokens x %2lld, %lld microbatches, recompute %-4s%s: %.3f s, predicted %+3.0f %%; %.1f GB, "
          "predicted %+3.0f %%",
          run.name.c_str(), static_cast<long long>(run.configuration.plan.sequence),
          static_cast<long long>(run.configuration.plan.microbatch),
          static_cast<long long>(run.configuration.plan.microbatches),
          run.configuration.recomputation == RecomputeKind::Full ? "full" : "none", step.compiled ? ", compiled" : "",
          run.seconds, 100 * std::expm1(timeError), step.allocated / 1e9, 100 * std::expm1(memoryError));
    }
    qInfo("%zu steps: median error of time %.1f %%, of memory %.1f %%; %d out of memory, all called too large",
          times.size(), 100 * middleOf(times), 100 * middleOf(peaks), tooLarge);
    QVERIFY(middleOf(times) < 0.12);
    QVERIFY(middleOf(peaks) < 0.08);
  }
};

QTEST_APPLESS_MAIN(TestMeasuredSteps)
#include "tst_measured_steps.moc"
