// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <map>

#include "base/near.h"
#include "support/warnings.h"
#include "tests/core/training/planner_questions.h"
#include "training/detail/planner_listing.h"

using namespace p2;
using test::answerOf;
using test::questionOf;

/// Listings under the filters of a plan, held against the filtered full enumeration.
class TestFilteredListing : public QObject {
  Q_OBJECT

 private slots:
  void init() { p2::test::failOnWarnings(); }

  // Of every degrees the fastest that passes is listed, although the fastest of all has no room.
  void hasTheFastestThatPasses_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("fixed");
    QTest::newRow("dense") << "llama3-8b"
                           << "dgx-h100:2"
                           << "cp=1,vpp=1";
    QTest::newRow("tensor across nodes") << "llama3-70b"
                                         << "alps-gh200:8"
                                         << "cp=1,vpp=1,zero=1";
    QTest::newRow("mixture") << "mixtral-8x7b"
                             << "dgx-h100:4"
                             << "cp=1,vpp=1,zero=1,etp=1";
  }
  void hasTheFastestThatPasses() {
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(QString, fixed);
    TrainingQuestion question = questionOf(qPrintable(model), qPrintable(system), 64, "megatron");
    question.fixed = fixedChoicesFrom(fixed.toStdString()).value();
    question.best = 100000;
    question.listsFiltered = true;
    const TrainingAnswer answer = answerOf(question).value();
    TrainingQuestion all = question;
    all.listsFiltered = false;
    const TrainingAnswer plain = answerOf(all).value();
    all.everyVariant = all.exhaustive = true;
    const TrainingAnswer every = answerOf(all).value();
    QVERIFY(every.configurations.size() < all.best);
    QCOMPARE(secondsByDegrees(answer.configurations), secondsByDegrees(plain.configurations));
    QCOMPARE(answer.filtered.size(), kPlanFilters.size());
    std::size_t differing = 0;
    for (std::size_t i = 0; i < kPlanFilters.size(); ++i) {
      const auto isLeft = [&](const PlannedConfiguration& each) {
        return passes(kPlanFilters[i], each, question.system, every.reserve, every.memory);
      };
      std::vector<PlannedConfiguration> left;
      std::copy_if(every.configurations.begin(), every.configurations.end(), std::back_inserter(left), isLeft);
      const auto& listed = answer.filtered[i];
      QVERIFY(!listed.empty());
      QVERIFY(std::all_of(listed.begin(), listed.end(), isLeft));
      QCOMPARE(secondsByDegrees(listed), secondsByDegrees(left));
      QCOMPARE(listed.size(), secondsByDegrees(left).size());
      QVERIFY(!definitelyLess(left.front().estimate.seconds, listed.front().estimate.seconds, kDisplayTolerance));
      differing +=
          std::size_t(std::count_if(plain.configurations.begin(), plain.configurations.end(), [&](const auto& each) {
            return !isLeft(each) && secondsByDegrees(left).contains(degreesOf(each));
          }));
    }
    QVERIFY2(differing > 0, "no degrees have another fastest variant under a filter");
  }

  // A search for few rows finds the first rows of the search for all.
  void fewRowsAreTheFirstOfAll() {
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:2", 64, "megatron");
    question.listsFiltered = true;
    question.best = 1000;
    const TrainingAnswer all = answerOf(question).value();
    question.best = 4;
    const TrainingAnswer few = answerOf(question).value();
    for (std::size_t i = 0; i < kPlanFilters.size(); ++i) {
      QVERIFY(all.filtered[i].size() > few.filtered[i].size());
      QCOMPARE(few.filtered[i].size(), std::size_t(4));
      for (std::size_t row = 0; row < 4; ++row)
        QVERIFY(nearlyEqual(few.filtered[i][row].estimate.seconds, all.filtered[i][row].estimate.seconds,
                            kDisplayTolerance));
    }
  }

 private:
  static PlannerListing::Degrees degreesOf(const PlannedConfiguration& planned) {
    return PlannerListing::degreesOf(*planned.framework, planned.configuration.plan);
  }
  static std::map<PlannerListing::Degrees, double> secondsByDegrees(const std::vector<PlannedConfiguration>& listed) {
    std::map<PlannerListing::Degrees, double> least;
    for (const PlannedConfiguration& each : listed) {
      const auto [found, isNew] = least.try_emplace(degreesOf(each), each.estimate.seconds);
      if (!isNew) found->second = std::min(found->second, each.estimate.seconds);
    }
    return least;
  }
};

QTEST_GUILESS_MAIN(TestFilteredListing)
#include "tst_filtered_listing.moc"
