// SPDX-License-Identifier: GPL-3.0-or-later
// How the planner walks its space: what it may leave out without a look at it, and the counts that it keeps of that.
#include <QRandomGenerator>
#include <QtTest>
#include <algorithm>

#include "support/warnings.h"
#include "tests/core/training/planner_questions.h"
#include "training/detail/planner_listing.h"
#include "training/detail/state_memory.h"
#include "training/memory.h"

using namespace p2;
using test::answerOf;
using test::questionOf;

namespace {

void addQuestions() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<QString>("system");
  QTest::addColumn<QString>("framework");
  QTest::newRow("dense") << "llama3-8b"
                         << "dgx-h100:1"
                         << "megatron";
  QTest::newRow("mixture") << "mixtral-8x7b"
                           << "dgx-h100:2"
                           << "megatron";
  QTest::newRow("tied embeddings") << "gpt3-175b"
                                   << "dgx-h100:2"
                                   << "deepspeed";
  QTest::newRow("sharded") << "llama3-8b"
                           << "dgx-h100:2"
                           << "torchtitan";
  QTest::newRow("dense layers first") << "deepseek-v3"
                                      << "dgx-h100:2"
                                      << "megatron";
}

TrainingQuestion asked() {
  QFETCH(QString, model);
  QFETCH(QString, system);
  QFETCH(QString, framework);
  return questionOf(qPrintable(model), qPrintable(system), 64, qPrintable(framework));
}

}  // namespace

class TestSearchWalk : public QObject {
  Q_OBJECT

 private slots:
  void init() { p2::test::failOnWarnings(); }

  void recomputationsAreCounted_data() { addQuestions(); }
  void recomputationsAreCounted() {
    const TrainingQuestion question = asked();
    const TrainingAccelerator accelerator = trainingAcceleratorOf(question.system).value();
    const SearchSpace space{question.model,     question.system.deviceCount(), question.batch, question.sequence,
                            question.precision, *question.frameworks[0],       question.fixed, &accelerator};
    std::int64_t all = 0;
    std::int64_t expected = 0;
    bool inOrder = true;
    (void)space.forEachWithLayouts([&](const auto&, const auto&, const RecomputationVisit& of) {
      inOrder = inOrder && of.again == (expected > 0) && (!of.again || of.after + 1 == expected);
      expected = of.after;
      ++all;
      return WalkNext::On;
    });
    std::int64_t skipped = 0;
    (void)space.forEachWithLayouts([&](const TrainingConfiguration& each, const auto&, const RecomputationVisit& of) {
      inOrder = inOrder && !of.again && each.recomputation == RecomputeKind::None;
      skipped += 1 + of.after;
      return WalkNext::PastRecomputations;
    });
    QVERIFY(inOrder);
    QVERIFY(all > 100);
    QCOMPARE(skipped, all);
  }

  void statesAreALowerBoundOfTheMemory_data() { addQuestions(); }
  void statesAreALowerBoundOfTheMemory() {
    const TrainingQuestion question = asked();
    const SearchSpace space{question.model,     question.system.deviceCount(), question.batch, question.sequence,
                            question.precision, *question.frameworks[0],       question.fixed};
    int compared = 0;
    double closest = 0;
    (void)space.forEachWithLayouts([&](const TrainingConfiguration& visited, const auto& layouts, const auto&) {
      TrainingConfiguration each = visited;
      if (brokenRule(*question.frameworks[0], question.model, each) != nullptr) return WalkNext::On;
      const double least = leastStates(question.model, each);
      for (const StageLayout& layout : layouts) {
        each.layersPerStage = layout;
        const double share = least / peakMemory(question.model, each).total();
        closest = std::max(closest, share);
        ++compared;
      }
      return closest <= 1 ? WalkNext::On : WalkNext::Stop;
    });
    QVERIFY(compared > 100);
    QVERIFY2(closest <= 1, qPrintable(QString::number(closest)));
    QVERIFY2(closest > .5, qPrintable(QString::number(closest)));
  }

  // The least memory that would do is the same where every configuration is looked at.
  void theLeastMemoryIsFound() {
    TrainingQuestion question = questionOf("llama3-70b", "dgx-h100:1", 64, "megatron");
    const auto left = answerOf(question);
    QVERIFY(!left.ok());
    question.listsLarge = true;
    const TrainingAnswer seen = answerOf(question).value();
    QVERIFY(!seen.large.empty());
    QCOMPARE(QString::fromStdString(left.error().message), QString::fromStdString(seen.problem));
  }

  // Against all that were met, the smallest of each set of degrees, the earlier one of equals. Few memories and
  // degrees, so that both meet again and again.
  void theSmallestAreKept() {
    QRandomGenerator random(3107);
    const TrainingFramework& framework = *trainingFrameworks().front();
    for (const std::size_t most : {1, 4, 40}) {
      SmallestConfigurations smallest(most);
      std::map<std::int64_t, std::pair<double, int>> best;  // by tensor parallel degree: memory, and when it was met
      for (int met = 0; met < 400; ++met) {
        TrainingConfiguration configuration;
        configuration.plan.tensor = 1 + random.bounded(20);
        configuration.plan.microbatch = met;
        TrainingMemory memory;
        memory.parameters = 1 + random.bounded(60);
        smallest.keep(framework, configuration, memory);
        const auto [known, isNew] = best.try_emplace(configuration.plan.tensor, memory.total(), met);
        if (!isNew && memory.total() < known->second.first) known->second = {memory.total(), met};
      }
      std::vector<std::pair<double, int>> expected;
      for (const auto& [tensor, each] : best) expected.push_back(each);
      std::ranges::sort(expected);
      expected.resize(std::min(most, expected.size()));
      std::vector<std::pair<double, int>> kept;
      for (const auto& each : smallest.all()) kept.emplace_back(each.total, int(each.configuration.plan.microbatch));
      QCOMPARE(kept.size(), expected.size());
      for (std::size_t i = 0; i < kept.size(); ++i) QCOMPARE(kept[i].first, expected[i].first);
      if (most == 40) QVERIFY(kept == expected);
    }
  }
};

QTEST_GUILESS_MAIN(TestSearchWalk)
#include "tst_search_walk.moc"
