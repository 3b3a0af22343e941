// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/median.h"
#include "support/filled.h"
#include "training/detail/step_interval.h"
#include "training/training_fit.h"

using namespace p2;

/// Predictions against published steps: by constants that know them, and by constants fitted without their source.
class TestTrainingRuns : public QObject {
  Q_OBJECT

  static double medianOfTables(const std::vector<double>& errors) {
    std::vector<double> medians;
    for (const TableError& table : tableErrors(trainingRuns(), errors)) medians.push_back(table.median);
    return upperMedianOf(medians);
  }
  static double shareWithin(const std::vector<double>& errors, double factor) {
    double within = 0;
    double all = 0;
    for (const double error : errors) {
      if (!std::isfinite(error)) continue;
      ++all;
      if (std::abs(error) <= std::log(1 + factor)) ++within;
    }
    return within / all;
  }
  static void print(const char* name, const std::vector<double>& errors) {
    std::vector<double> sizes;
    for (const double error : errors) {
      if (std::isfinite(error)) sizes.push_back(std::abs(error));
    }
    if (sizes.empty()) return;
    qInfo("%-24s %5zu runs  median of tables %5.1f %%  of runs %5.1f %%  within 10/20/30 %%: %.0f %.0f %.0f", name,
          sizes.size(), 100 * medianOfTables(errors), 100 * upperMedianOf(sizes), 100 * shareWithin(errors, .1),
          100 * shareWithin(errors, .2), 100 * shareWithin(errors, .3));
  }
  static std::vector<double> only(const std::vector<double>& errors,
                                  const std::function<bool(const TrainingRun&)>& isOne) {
    std::vector<double> some(errors.size(), std::nan(""));
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (isOne(trainingRuns()[i])) some[i] = errors[i];
    }
    return some;
  }

  const std::vector<double>& fitted() {
    if (m_fitted.empty()) {
      for (const TrainingRun& run : trainingRuns()) {
        m_fitted.push_back(run.isScored() ? std::log(estimateRun(run)->seconds / run.seconds) : std::nan(""));
      }
    }
    return m_fitted;
  }
  const std::vector<double>& heldOut() {
    if (m_heldOut.empty()) m_heldOut = heldOutErrors(trainingRuns(), trainingConstants());
    return m_heldOut;
  }
  std::vector<double> m_fitted;
  std::vector<double> m_heldOut;

 private slots:
  void everyRowIsRead() {
    QCOMPARE(trainingRuns().size(), std::size_t(1912));
    const auto scored =
        std::count_if(trainingRuns().begin(), trainingRuns().end(), [](const auto& run) { return run.isScored(); });
    QVERIFY2(scored >= 1800, qPrintable(QString::number(scored)));
  }

  /// Rows of one table give parameters in place of layers, and their framework makes stages equal.
  void layersFromParametersDivideByTheStages() {
    std::size_t found = 0;
    for (const TrainingRun& run : trainingRuns()) {
      if (!run.hasDerivedLayers || run.configuration.plan.pipeline == 1) continue;
      QCOMPARE(run.configuration.family, FrameworkFamily::MegatronEager);
      ++found;
      QVERIFY2(run.model.layers > 0 && run.model.layers % run.configuration.plan.pipeline == 0, run.name.c_str());
    }
    QCOMPARE(found, std::size_t(20));
  }

  /// BigScience's chronicles: the last of twelve stages had one of 78 layers, and large runs waited for every launch.
  void chroniclesOfBigScienceAreRead() {
    std::size_t found = 0;
    for (const TrainingRun& run : trainingRuns()) {
      const TrainingPlan& plan = run.configuration.plan;
      if (run.source != "BigScience tr11 A100" || run.model.layers != 78 || plan.pipeline != 12) continue;
      ++found;
      QCOMPARE(stageLayoutText(run.configuration.layersPerStage), std::string("11*7+1"));
      QCOMPARE(run.configuration.blockingLaunches, plan.devices >= 320);
      TrainingRun free = run;
      free.configuration.blockingLaunches = false;
      QVERIFY(estimateRun(free)->parts.host < estimateRun(run)->parts.host);
    }
    QVERIFY(found > 0);
  }

  void errorsBySourceHeldOut() {
    const auto& errors = heldOut();
    print("all", errors);
    const auto kind = [&](const char* name, const std::function<bool(const TrainingRun&)>& isOne) {
      print(name, only(errors, isOne));
    };
    kind("dense", [](const auto& run) { return run.model.experts == 0; });
    const auto isDenseNvidia = [](const TrainingRun& run) {
      static const std::set<std::string> kGenerations{"V100", "A100", "H100", "B200", "B300", "L40S"};
      return run.model.experts == 0 && kGenerations.count(run.accelerator.generation) > 0;
    };
    kind("dense, NVIDIA", isDenseNvidia);
    kind("experts", [](const auto& run) { return run.model.experts > 0; });
    kind("fp8 and below", [](const auto& run) { return run.configuration.precision != ProductPrecision::Bf16; });
    kind("FSDP", [](const auto& run) { return run.configuration.plan.zero == 3; });
    kind("8,192 tokens and more", [](const auto& run) { return run.configuration.plan.sequence >= 8192; });
    kind("1,024 devices and more", [](const auto& run) { return run.configuration.plan.devices >= 1024; });
    for (const char* generation : {"V100", "A100", "H100", "B200", "B300", "MI300", "v5p", "v6e", "trn1", "PVC"}) {
      kind(generation, [&](const auto& run) { return run.accelerator.generation == generation; });
    }
    QVERIFY(medianOfTables(errors) < .11);
    QVERIFY(medianOfTables(only(errors, isDenseNvidia)) <= .07);
    QVERIFY(shareWithin(errors, .3) > .9);
  }

  // The median error of a generation that no constant was fitted to: its data sheet and priors alone.
  void errorsOfUnseenGenerations() {
    const auto errors = heldOutErrors(trainingRuns(), trainingConstants(), HeldOut::Generation);
    std::set<std::string> generations;
    for (const TrainingRun& run : trainingRuns()) {
      if (run.isScored()) generations.insert(run.accelerator.generation);
    }
    std::vector<double> medians;
    for (const std::string& generation : generations) {
      const auto some = only(errors, [&](const auto& run) { return run.accelerator.generation == generation; });
      print(("unseen " + generation).c_str(), some);
      medians.push_back(medianOfTables(some));
    }
    qInfo("unseen generations: median %.1f %%", 100 * upperMedianOf(medians));
    QVERIFY(generations.size() >= 10);
    QVERIFY2(upperMedianOf(medians) <= .2, qPrintable(QString::number(upperMedianOf(medians))));
  }

  void worstRows() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < heldOut().size(); ++i) {
      if (std::isfinite(heldOut()[i])) order.push_back(i);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::abs(heldOut()[a]) > std::abs(heldOut()[b]); });
    for (std::size_t k = 0; k < 10; ++k) {
      const TrainingRun& run = trainingRuns()[order[k]];
      qInfo("held out %+.0f %%: %s, %s, %s, measured %.3g s", 100 * std::expm1(heldOut()[order[k]]), run.table.c_str(),
            run.name.c_str(), describe(run.configuration).c_str(), run.seconds);
    }
    QVERIFY(std::abs(heldOut()[order.front()]) < std::log(2.5));
  }

  void errorsOfTheBundledFit() {
    print("fitted", fitted());
    QVERIFY(medianOfTables(fitted()) < .075);
    QVERIFY(shareWithin(fitted(), .2) > .92);
  }

  void tablesByName() {
    for (const char* name : {"Narayanan 2021", "llm-foundry", "InternEvo", "Megatron-Bridge 26.08"}) {
      for (std::size_t i = 0; i < trainingRuns().size(); ++i) {
        const TrainingRun& run = trainingRuns()[i];
        if (!run.table.starts_with(name) || !run.isScored()) continue;
        if (run.source == "llm-foundry" && i % 10 != 0) continue;
        qInfo("%-40s %-14s %5ld devices  measured %8.3f s  predicted %8.3f s (held out %+.0f %%)", run.table.c_str(),
              run.name.c_str(), long(run.configuration.plan.devices), run.seconds, run.seconds * std::exp(fitted()[i]),
              100 * std::expm1(heldOut()[i]));
      }
    }
  }

  void intervalsHoldFourOfFive() {
    struct Held {
      double inside = 0;
      double all = 0;
      [[nodiscard]] double share() const { return inside / all; }
    };
    std::map<std::string, Held> held;
    for (std::size_t i = 0; i < trainingRuns().size(); ++i) {
      const TrainingRun& run = trainingRuns()[i];
      if (!std::isfinite(heldOut()[i])) continue;
      const auto estimate = estimateRun(run);
      const double ratio = std::exp(-heldOut()[i]);  // measured over predicted
      const bool inside = ratio >= estimate->low / estimate->seconds && ratio <= estimate->high / estimate->seconds;
      const char* kind = run.model.experts > 0                     ? "experts"
                         : isWellKnown(run.accelerator.generation) ? "dense, several publishers"
                                                                   : "dense, few publishers";
      for (const char* each : {"all", kind}) {
        held[each].all += 1;
        held[each].inside += inside ? 1 : 0;
      }
    }
    for (const auto& [kind, each] : test::filled(held)) {
      qInfo("intervals hold %.0f %% of %.0f held-out runs: %s", 100 * each.share(), each.all, kind.c_str());
      QVERIFY2(each.share() >= .75 && each.share() <= .9, kind.c_str());
    }
  }

  // Where the host starts the dispatch to experts, intervals are wider, and still runs outside them nearly all took
  // longer, as describeWiderInterval() says. With the spread of other mixtures they held 38 of 53.
  void intervalsHoldWhereTheHostStartsTheDispatch() {
    double inside = 0;
    double all = 0;
    double longer = 0;
    double most = 0;
    std::set<std::string> sources;
    for (std::size_t i = 0; i < trainingRuns().size(); ++i) {
      const TrainingRun& run = trainingRuns()[i];
      if (!std::isfinite(heldOut()[i]) || !startsDispatchFromHost(run.model, run.configuration)) continue;
      const StepInterval interval = intervalOf(run.model, run.configuration, run.accelerator);
      const double ratio = std::exp(-heldOut()[i]);
      ++all;
      inside += ratio >= interval.low && ratio <= interval.high ? 1 : 0;
      longer += ratio > interval.high ? 1 : 0;
      most = std::max(most, ratio);
      sources.insert(run.source);
    }
    qInfo("dispatch by the host: %.0f of %.0f runs inside, %.0f longer, by up to %.2f", inside, all, longer, most);
    QVERIFY(all >= 50);
    QVERIFY(sources.size() >= 2);
    QVERIFY2(inside / all >= .8 && inside / all <= .9, qPrintable(QString::number(inside / all)));
    QVERIFY(longer >= .85 * (all - inside));
    QVERIFY(most > 2);
  }

  // Intervals are wider for a generation of few publishers; the list of the others follows from the runs.
  void wellKnownGenerationsHaveSeveralPublishers() {
    std::map<std::string, std::set<std::string>> publishers;
    for (const TrainingRun& run : trainingRuns()) {
      if (run.isScored()) publishers[run.accelerator.generation].insert(run.source);
    }
    for (const auto& [generation, sources] : test::filled(publishers)) {
      QVERIFY2(isWellKnown(generation) == (sources.size() >= 3), generation.c_str());
    }
  }

  void constantsAreNearWhatAnEngineerWouldWrite() {
    for (const TrainingConstant& constant : trainingConstants().all()) {
      const double spreads = std::log(constant.value / constant.prior) / constant.spread;
      QVERIFY2(std::abs(spreads) <= 3.01, constant.key.c_str());
      QVERIFY2(!constant.reason.empty(), constant.key.c_str());
    }
    QCOMPARE(trainingConstantsFrom(trainingConstantsText(trainingConstants()))->all().size(),
             trainingConstants().all().size());
  }
};

QTEST_GUILESS_MAIN(TestTrainingRuns)
#include "tst_training_runs.moc"
