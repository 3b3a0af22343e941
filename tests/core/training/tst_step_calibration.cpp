// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "training/detail/step_calibration.h"
#include "training/training_fit.h"

using namespace p2;

/// What a few measured steps of a machine are worth for its other configurations.
class TestStepCalibration : public QObject {
  Q_OBJECT

  static double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
  }

  /// Steps of a table, predicted by constants that were fitted without its source.
  using Tables = std::map<std::string, std::vector<std::pair<MeasuredStep, std::string>>>;
  static Tables heldOutTables() {
    const auto errors = heldOutErrors(trainingRuns(), trainingConstants());
    Tables tables;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const TrainingRun& run = trainingRuns()[i];
      if (!std::isfinite(errors[i])) continue;
      const std::string key = run.name + describe(run.configuration) + std::to_string(run.configuration.plan.sequence);
      tables[run.table].push_back(
          {{run.seconds * std::exp(errors[i]), run.seconds, partShares(*estimateRun(run))}, key});
    }
    return tables;
  }

  /// The median error of the steps of other configurations once `count` of a table were measured.
  static double errorAfter(const std::vector<std::pair<MeasuredStep, std::string>>& steps, std::size_t count) {
    std::mt19937 random(1);
    std::vector<double> errors;
    std::vector<std::size_t> order(steps.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (int round = 0; round < 40; ++round) {
      std::shuffle(order.begin(), order.end(), random);
      std::vector<MeasuredStep> known;
      std::vector<std::string> keys;
      for (std::size_t i = 0; i < count; ++i) {
        known.push_back(steps[order[i]].first);
        keys.push_back(steps[order[i]].second);
      }
      const StepCalibration calibration = calibrationOf(known);
      for (std::size_t i = count; i < order.size(); ++i) {
        const auto& [step, key] = steps[order[i]];
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
        errors.push_back(std::abs(std::log(calibratedSeconds(step, calibration) / step.measured)));
      }
    }
    return medianOf(errors);
  }

 private slots:
  void shrinksWhatFewRunsSay() {
    QCOMPARE(calibrationOf({}), StepCalibration{});
    const PartShares kernels{1, 0, 0, 0};
    const auto factorOf = [&](std::vector<double> ratios) {
      std::vector<MeasuredStep> steps;
      for (const double ratio : ratios) steps.push_back({2, 2 * ratio, kernels});
      return calibrationOf(steps).factors[0];
    };
    QVERIFY(factorOf({1.2}) > 1.05 && factorOf({1.2}) < 1.19);
    QVERIFY(factorOf({1.2, 1.2, 1.2}) > factorOf({1.2}));
    QVERIFY(factorOf({1.2, 1.2, 1.2}) < 1.2);
    QVERIFY(factorOf({1.2, 1.2, 1.2, 3}) < 1.3);  // an outlier counts less
  }

  // Runs with different shares tell which part is slow.
  void findsTheSlowPart() {
    std::vector<MeasuredStep> steps;
    for (const double share : {.05, .2, .4, .6}) {
      steps.push_back({1, (1 - share) + 1.5 * share, {1 - share, 0, share, 0}});
    }
    const StepCalibration made = calibrationOf(steps);
    QVERIFY(made.factors[2] > 1.3);
    QVERIFY(std::abs(made.factors[0] - 1) < .06);
    QVERIFY(leftOutError(steps) < .05);
    QCOMPARE(leastFactor(made), *std::min_element(made.factors.begin(), made.factors.end()));
  }

  void anEstimateStaysASum() {
    for (const TrainingRun& run : trainingRuns()) {
      if (!run.isScored()) continue;
      const StepEstimate before = *estimateRun(run);
      const StepEstimate after = calibrated(before, {{1.1, 1.1, 1.1, 1.1}, 3});
      QVERIFY(std::abs(after.parts.sum() / after.seconds - 1) < 1e-9);
      QVERIFY(std::abs(after.seconds / before.seconds - 1.1) < 1e-9);
      QVERIFY(after.high / after.low < before.high / before.low);
      QCOMPARE(after.parts.compute, before.parts.compute);
    }
  }

  /// Machines with enough configurations that some are left when others were measured.
  void otherConfigurationsOfTheSameMachine() {
    const Tables tables = heldOutTables();
    const std::size_t most = 5;
    std::vector<std::vector<double>> errors(most + 1);
    for (const auto& [table, steps] : tables) {
      if (steps.size() < most + 3) continue;
      std::vector<double> mine;
      for (std::size_t count = 0; count <= most; ++count) mine.push_back(errorAfter(steps, count));
      if (mine.back() == 0) continue;  // one configuration alone
      for (std::size_t count = 0; count <= most; ++count) errors[count].push_back(mine[count]);
    }
    for (std::size_t count = 0; count <= most; ++count) {
      qInfo("%zu runs measured: the others of %zu tables are wrong by %.1f %% in the median", count,
            errors[count].size(), 100 * medianOf(errors[count]));
    }
    QVERIFY(errors[0].size() >= 10);
    QVERIFY2(medianOf(errors[3]) <= .07, qPrintable(QString::number(medianOf(errors[3]))));
    for (std::size_t count = 1; count <= most; ++count) QVERIFY(medianOf(errors[count]) <= medianOf(errors[0]));
  }
};

QTEST_GUILESS_MAIN(TestStepCalibration)
#include "tst_step_calibration.moc"
