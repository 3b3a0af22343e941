// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "training/training_runs.h"
#include "training_answer/one_sided_runs.h"
#include "training_answer/training_request.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

TrainingQuestion questionFor(const char* model, const char* system) {
  TrainingRequest request;
  request.batch = 16;
  return test::valueOf(readTrainingRequest(request, test::valueOf(modelFromArgument(model)),
                                           test::valueOf(systemFromArgument(system))))
      .question;
}

}  // namespace

class TestOneSidedRuns : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  /// Published runs of Qwen3 235B, counted again from the runs themselves; those of Llama 3 8B scatter.
  void oneSidedRunsAreFound() {
    const OneSidedRuns qwen = oneSidedRunsOf(questionFor("qwen3-235b-a22b", "dgx-h100:16"));
    const OneSidedRuns llama = oneSidedRunsOf(questionFor("llama3-8b", "dgx-h100:1"));
    QCOMPARE(llama.runs, std::size_t{0});
    std::size_t outside = 0;
    std::size_t all = 0;
    for (const TrainingRun& run : trainingRuns()) {
      if (run.model.layers != 94 || run.model.experts != 128 || run.seconds <= 0) continue;
      const auto estimate = estimateRun(run);
      if (!estimate.ok() || run.accelerator.generation != "H100") continue;
      ++all;
      outside += run.seconds > estimate->high ? 1 : 0;
    }
    QVERIFY(all > 0);
    QCOMPARE(qwen.runs, outside == all && all >= 3 ? all : 0);
    QCOMPARE(qwen.least > 1, qwen.runs > 0);
  }
};

QTEST_APPLESS_MAIN(TestOneSidedRuns)
#include "tst_one_sided_runs.moc"
