// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <map>
#include <semaphore>

#include "support/warnings.h"
#include "views/shell/derived.h"

using namespace p2;
using namespace p2::views;

namespace {

/// Doubles numbers, each when the test lets it go, whether or not it was told to stop; odd ones are refused.
struct Doubling {
  std::map<int, std::binary_semaphore> gates;
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};

  explicit Doubling(std::initializer_list<int> numbers) {
    for (const int number : numbers) gates.try_emplace(number, 0);
  }
  auto work() {
    return [this](int number, std::stop_token, const Progress& progress) -> Result<int> {
      ++begun;
      progress(0.5);
      gates.at(number).acquire();
      ++ended;
      if (number % 2 != 0) return Error{"odd"};
      return 2 * number;
    };
  }
  void letGo(int number) { gates.at(number).release(); }
};

}  // namespace

class TestDerived : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void anAnswerArrives() {
    Doubling doubling{4};
    JobQueue jobs;
    Derived<int, int> derived(jobs, doubling.work());
    QVERIFY(!derived.isCurrent());
    QSignalSpy changed(&derived, &DerivedBase::changed);
    QSignalSpy progressed(&derived, &DerivedBase::progressed);
    derived.ask("Double", 4);
    QVERIFY(derived.isRunning());
    QCOMPARE(changed.size(), 1);
    QTRY_COMPARE(progressed.size(), 1);
    QCOMPARE(derived.progress(), 0.5);
    doubling.letGo(4);
    QTRY_VERIFY(derived.isCurrent());
    QCOMPARE(*derived.current(), 8);
    QVERIFY(!derived.isRunning());
    QCOMPARE(changed.size(), 2);
    // The same question again is answered already.
    derived.ask("Double", 4);
    QVERIFY(derived.isCurrent());
    QVERIFY(jobs.running().empty());
    QCOMPARE(doubling.begun.load(), 1);
  }

  void onlyTheLastQuestionIsAnswered() {
    Doubling doubling{2, 4};
    JobQueue jobs;
    Derived<int, int> derived(jobs, doubling.work());
    QList<int> answers;
    connect(&derived, &DerivedBase::changed, this, [&] {
      if (derived.current()) answers << *derived.current();
    });
    derived.ask("Double", 2);
    QTRY_COMPARE(doubling.begun.load(), 1);
    derived.ask("Double", 4);
    QTRY_COMPARE(doubling.begun.load(), 2);
    doubling.letGo(2);
    QTRY_COMPARE(doubling.ended.load(), 1);
    QCoreApplication::processEvents();
    QVERIFY(!derived.answer());
    doubling.letGo(4);
    QTRY_COMPARE(answers, QList<int>{8});
  }

  void theAnswerBeforeStaysOutOfDate() {
    Doubling doubling{2, 4};
    JobQueue jobs;
    Derived<int, int> derived(jobs, doubling.work());
    derived.ask("Double", 2);
    doubling.letGo(2);
    QTRY_VERIFY(derived.isCurrent());
    derived.ask("Double", 4);
    QVERIFY(!derived.isCurrent());
    QVERIFY(!derived.current());
    QCOMPARE(*derived.answer(), 4);
    // Back at the first question its answer is still there.
    derived.ask("Double", 2);
    QVERIFY(derived.isCurrent());
    QVERIFY(!derived.isRunning());
    QVERIFY(jobs.running().empty());
    doubling.letGo(4);
  }

  void aProblemIsSaidAndForgotten() {
    Doubling doubling{2, 3};
    JobQueue jobs;
    Derived<int, int> derived(jobs, doubling.work());
    derived.ask("Double", 3);
    QVERIFY(!derived.problem());
    doubling.letGo(3);
    QTRY_VERIFY(derived.problem());
    QCOMPARE(derived.problem()->message, "odd");
    QVERIFY(!derived.isCurrent());
    derived.ask("Double", 3);
    QVERIFY(!derived.isRunning());
    derived.ask("Double", 2);
    QVERIFY(!derived.problem());
    doubling.letGo(2);
    QTRY_VERIFY(derived.isCurrent());
  }

  void whatTheUserStopsIsToldAndCanBeAskedAgain() {
    Doubling doubling{2};
    JobQueue jobs;
    Derived<int, int> derived(jobs, doubling.work());
    QSignalSpy changed(&derived, &DerivedBase::changed);
    derived.ask("Double", 2);
    QTRY_COMPARE(doubling.begun.load(), 1);
    jobs.cancelAll();
    QVERIFY(derived.wasCancelled());
    QVERIFY(!derived.isRunning());
    QCOMPARE(changed.size(), 2);
    derived.ask("Double", 2);
    QVERIFY(!derived.isRunning());
    doubling.letGo(2);
    QTRY_COMPARE(doubling.ended.load(), 1);
    derived.askAgain("Double", 2);
    QVERIFY(!derived.wasCancelled());
    doubling.letGo(2);
    QTRY_VERIFY(derived.isCurrent());
    QCOMPARE(doubling.ended.load(), 2);
  }

  void replacingAQuestionIsNoCancelling() {
    Doubling doubling{2, 4};
    JobQueue jobs;
    Derived<int, int> derived(jobs, doubling.work());
    derived.ask("Double", 2);
    derived.ask("Double", 4);
    QVERIFY(!derived.wasCancelled());
    QCOMPARE(jobs.running().size(), 1u);
    derived.withdraw();
    QVERIFY(!derived.wasCancelled());
    QVERIFY(jobs.running().empty());
    for (const int number : {2, 4}) doubling.letGo(number);
  }

  void forgettingTakesTheAnswerAway() {
    Doubling doubling{2};
    JobQueue jobs;
    Derived<int, int> derived(jobs, doubling.work());
    derived.ask("Double", 2);
    doubling.letGo(2);
    QTRY_VERIFY(derived.isCurrent());
    derived.withdraw();
    QVERIFY(derived.answer());
    QVERIFY(!derived.isCurrent());
    derived.forget();
    QVERIFY(!derived.answer());
    QVERIFY(!derived.isCurrent());
  }

  void itsOwnerMayGo() {
    Doubling doubling{2};
    JobQueue jobs;
    auto derived = std::make_unique<Derived<int, int>>(jobs, doubling.work());
    derived->ask("Double", 2);
    QTRY_COMPARE(doubling.begun.load(), 1);
    derived.reset();
    QVERIFY(jobs.running().empty());
    doubling.letGo(2);
    QTRY_COMPARE(doubling.ended.load(), 1);
    QCoreApplication::processEvents();
  }

  void theQueueMayGo() {
    Doubling doubling{2};
    auto jobs = std::make_unique<JobQueue>();
    Derived<int, int> derived(*jobs, doubling.work());
    derived.ask("Double", 2);
    doubling.letGo(2);
    jobs.reset();
    derived.cancel();
    derived.forget();
    QVERIFY(!derived.isRunning());
  }

  void sharedAnswersAreTakenAsTheyAre() {
    JobQueue jobs;
    const auto shared = std::make_shared<const int>(7);
    Derived<int, int> derived(
        jobs, [shared](int, std::stop_token, const Progress&) -> Result<std::shared_ptr<const int>> { return shared; });
    derived.ask("Share", 1);
    QTRY_COMPARE(derived.current(), shared);
  }
};

QTEST_GUILESS_MAIN(TestDerived)
#include "tst_derived.moc"
