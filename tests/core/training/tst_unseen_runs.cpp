// SPDX-License-Identifier: GPL-3.0-or-later
// Published steps that no constant was fitted to, and tables of runs that users bring.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "base/median.h"
#include "support/warnings.h"
#include "training/training_runs.h"

using namespace p2;

namespace {

const std::string kTitles = "model,gpu_type,gpus,seq,global_batch_sequences,framework,precision,tp,step_seconds";

QString errorOf(const std::string& csv) {
  const auto read = otherTrainingRunsFrom(csv, "mine");
  return read.ok() ? QString() : QString::fromStdString(read.error().text());
}

}  // namespace

class TestUnseenRuns : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  // Nothing is fitted to these runs, so the errors are what a user of the machines would have met.
  void predictionsHoldOnRunsThatTheModelNeverSaw() {
    std::map<std::string, std::vector<double>> byTable;
    std::vector<double> errors;
    std::size_t within = 0;
    for (const TrainingRun& run : unseenRuns()) {
      QVERIFY2(run.isScored(), run.unscored.c_str());
      const auto estimate = estimateRun(run);
      QVERIFY2(estimate.ok(), estimate.ok() ? "" : estimate.error().text().c_str());
      const double ratio = std::log(estimate->seconds / run.seconds);
      byTable[run.table].push_back(ratio);
      errors.push_back(std::abs(ratio));
      within += estimate->low <= run.seconds && run.seconds <= estimate->high ? 1 : 0;
    }
    for (auto& [table, ratios] : byTable) {
      qInfo("%-55s %2zu runs, median %+5.1f %%", table.c_str(), ratios.size(), 100 * upperMedianOf(ratios));
    }
    const double share = double(within) / double(errors.size());
    const auto below = [&](double most) {
      return double(std::count_if(errors.begin(), errors.end(), [&](double error) { return error < most; })) /
             double(errors.size());
    };
    qInfo("%zu runs: within 10/20/30 %%: %.0f/%.0f/%.0f, 80 %% intervals hold %.0f %%", errors.size(), 100 * below(.1),
          100 * below(.2), 100 * below(.3), 100 * share);
    const double median = upperMedianOf(errors);
    qInfo("median error %.1f %%", 100 * median);
    QVERIFY(errors.size() >= 100);
    QVERIFY(median < .11);
    QVERIFY(share > .75 && share < .9);
  }

  void noRunIsUsedTwice() {
    for (const TrainingRun& run : unseenRuns()) {
      QVERIFY(run.unseen);
      const auto same = [&](const TrainingRun& other) {
        return other.reference == run.reference || other.source == run.source;
      };
      QVERIFY2(std::none_of(trainingRuns().begin(), trainingRuns().end(), same), run.reference.c_str());
    }
  }

  // Mixtral 8x7B with an expert on every device: published as 468 TFLOP/s, 15 % slower when its product counts as one
  // of several in a group.
  void aSingleExpertOfADeviceIsAnOrdinaryProduct() {
    const auto isMixtral = [](const TrainingRun& run) { return run.name == "Mixtral 8x7B"; };
    const auto at = std::find_if(unseenRuns().begin(), unseenRuns().end(), isMixtral);
    QVERIFY(at != unseenRuns().end());
    const auto estimate = estimateRun(*at);
    QVERIFY(estimate.ok());
    QVERIFY(std::abs(std::log(estimate->seconds / at->seconds)) < .08);
  }

  void aRowNeedsFewColumns() {
    const auto read =
        otherTrainingRunsFrom(kTitles + ",date\nllama3-8b,H100-80GB,8,8192,128,Megatron-Core,bf16,1,9.1,May\n", "mine");
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(read->runs.size(), std::size_t(1));
    const TrainingRun& run = read->runs.front();
    QVERIFY2(run.isScored(), run.unscored.c_str());
    QCOMPARE(run.table, std::string("mine"));
    QCOMPARE(run.model.layers, std::int64_t(32));
    QCOMPARE(run.configuration.plan.data, std::int64_t(8));
    QCOMPARE(read->unknownColumns, std::vector<std::string>{"date"});
    QVERIFY(estimateRun(run).ok());
  }

  void tokensPerSecondGiveTheStep() {
    const auto read = otherTrainingRunsFrom(
        "model,gpu_type,gpus,seq,global_batch_sequences,tokens_per_s_per_gpu\nllama3-8b,H100-80GB,8,8192,16,8192\n",
        "mine");
    QVERIFY(read.ok());
    QCOMPARE(read->runs.front().seconds, 2.0);
  }

  void runsThatCannotBePredictedSayWhy_data() {
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("reason");
    QTest::newRow("unknown device") << "llama3-8b,H900,8,8192,128,Megatron-Core,bf16,1,9.1"
                                    << "an accelerator that is not known";
    QTest::newRow("unknown model") << "my-model,H100-80GB,8,8192,128,Megatron-Core,bf16,1,9.1"
                                   << "the model's shape is not published";
    QTest::newRow("degrees") << "llama3-8b,H100-80GB,8,8192,128,Megatron-Core,bf16,16,9.1"
                             << "its degrees are for 16 devices and not for 8";
    QTest::newRow("no step") << "llama3-8b,H100-80GB,8,8192,128,Megatron-Core,bf16,1,"
                             << "the step time is not published";
  }
  void runsThatCannotBePredictedSayWhy() {
    QFETCH(QString, row);
    QFETCH(QString, reason);
    const auto read = otherTrainingRunsFrom(kTitles + "\n" + row.toStdString() + "\n", "mine");
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(QString::fromStdString(read->runs.front().unscored), reason);
  }

  void badTablesSayWhereTheyAreWrong_data() {
    QTest::addColumn<QString>("csv");
    QTest::addColumn<QString>("error");
    const QString titles = QString::fromStdString(kTitles) + "\n";
    QTest::newRow("empty") << ""
                           << "line 1: the file is empty";
    QTest::newRow("no runs") << titles << "line 1: there is no run below the titles";
    QTest::newRow("no batch")
        << "model,gpu_type,gpus,seq,step_seconds\n"
        << "line 1: there is no column global_batch_sequences; a table of runs needs gpu_type, gpus, seq, "
           "global_batch_sequences and step_seconds";
    QTest::newRow("no time") << "model,gpu_type,gpus,seq,global_batch_sequences\n"
                             << "line 1: there is neither a column step_seconds nor tokens_per_s_per_gpu";
    QTest::newRow("twice") << titles.trimmed() + ",tp\n"
                           << "line 1: the column tp is there twice";
    QTest::newRow("text") << titles + "\nllama3-8b,H100-80GB,eight,8192,128,Megatron-Core,bf16,1,9.1\n"
                          << "line 3: gpus is a whole number from 0 on, not \"eight\"";
    QTest::newRow("negative") << titles + "llama3-8b,H100-80GB,8,8192,128,Megatron-Core,bf16,1,-9\n"
                              << "line 2: step_seconds is a number from 0 on, not \"-9\"";
    QTest::newRow("huge") << titles + "llama3-8b,H100-80GB,1e99,8192,128,Megatron-Core,bf16,1,9\n"
                          << "line 2: gpus is a whole number from 0 on, not \"1e99\"";
    QTest::newRow("cells") << titles + "llama3-8b,H100-80GB\n"
                           << "line 2: 2 cells instead of 9";
    QTest::newRow("quote") << titles + "\"llama3-8b,H100-80GB\n"
                           << "line 2: 1 cell instead of 9";
  }
  void badTablesSayWhereTheyAreWrong() {
    QFETCH(QString, csv);
    QFETCH(QString, error);
    QCOMPARE(errorOf(csv.toStdString()), error);
  }
};

QTEST_GUILESS_MAIN(TestUnseenRuns)
#include "tst_unseen_runs.moc"
