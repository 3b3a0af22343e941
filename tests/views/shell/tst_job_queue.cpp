// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <stdexcept>

#include "support/warnings.h"
#include "views/shell/job_queue.h"

using namespace p2;
using namespace p2::views;

namespace {

/// Work that goes on until it is told to stop.
Result<int> untilStopped(std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait(lock, stop, [] { return false; });
  return cancelledError();
}

}  // namespace

class TestJobQueue : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void aResultArrivesOnTheThreadThatAsked() {
    JobQueue jobs;
    QSignalSpy changed(&jobs, &JobQueue::changed);
    QThread* worker = nullptr;
    QThread* receiver = nullptr;
    int answer = 0;
    jobs.start<int>(
        "Answer", {},
        [&worker](std::stop_token, const Progress&) -> Result<int> {
          worker = QThread::currentThread();
          return 42;
        },
        [&](const Result<int>& result) {
          receiver = QThread::currentThread();
          answer = *result;
        });
    QCOMPARE(jobs.running().size(), 1u);
    QCOMPARE(jobs.running()[0].title, "Answer");
    QTRY_COMPARE(answer, 42);
    QTRY_COMPARE(changed.size(), 2);
    QVERIFY(jobs.running().empty());
    QVERIFY(worker != receiver);
    QCOMPARE(receiver, QThread::currentThread());
  }

  void anErrorIsDelivered() {
    JobQueue jobs;
    QString message;
    jobs.start<int>(
        "Fail", {}, [](std::stop_token, const Progress&) -> Result<int> { return Error{"no such thing"}; },
        [&](const Result<int>& result) { message = QString::fromStdString(result.error().message); });
    QTRY_COMPARE(message, "no such thing");
  }

  void exceptionsBecomeErrors_data() {
    QTest::addColumn<bool>("outOfMemory");
    QTest::newRow("out of memory") << true;
    QTest::newRow("other") << false;
  }
  void exceptionsBecomeErrors() {
    QFETCH(bool, outOfMemory);
    JobQueue jobs;
    std::optional<Error> error;
    jobs.start<int>(
        "Throw", {},
        [outOfMemory](std::stop_token, const Progress&) -> Result<int> {
          if (outOfMemory) throw std::bad_alloc();
          throw std::runtime_error("broken");
        },
        [&](const Result<int>& result) { error = result.error(); });
    QTRY_VERIFY(error);
    QCOMPARE(error->kind, outOfMemory ? ErrorKind::TooLarge : ErrorKind::Failed);
    QVERIFY(error->message.find(outOfMemory ? "memory" : "broken") != std::string::npos);
  }

  void aNewerJobOfTheSlotReplacesTheOlder() {
    JobQueue jobs;
    QList<int> answers;
    const auto deliver = [&](const Result<int>& result) { answers << *result; };
    std::binary_semaphore begun(0), first(0), second(0);
    // The first ends only after it became stale, and with a value: it must be dropped all the same.
    jobs.start<int>(
        "First", "slot",
        [&](std::stop_token, const Progress&) -> Result<int> {
          begun.release();
          first.acquire();
          second.release();
          return 1;
        },
        deliver);
    begun.acquire();
    jobs.start<int>(
        "Second", "slot",
        [&](std::stop_token, const Progress&) -> Result<int> {
          second.acquire();
          return 2;
        },
        deliver);
    QCOMPARE(jobs.running().size(), 1u);
    QCOMPARE(jobs.running()[0].title, "Second");
    first.release();
    QTRY_VERIFY(jobs.running().empty());
    QCOMPARE(answers, QList<int>{2});
  }

  void jobsOfOtherSlotsGoOn() {
    JobQueue jobs;
    int delivered = 0;
    for (const char* slot : {"a", "b", "", ""}) {
      jobs.start<int>(
          "Count", slot, [](std::stop_token, const Progress&) -> Result<int> { return 1; },
          [&](const Result<int>& result) { delivered += *result; });
    }
    QTRY_COMPARE(delivered, 4);
  }

  void aCancelledJobStopsAndDeliversNothing() {
    JobQueue jobs;
    bool delivered = false;
    std::binary_semaphore begun(0), stopped(0);
    const int id = jobs.start<int>(
        "Endless", {},
        [&](std::stop_token stop, const Progress&) {
          begun.release();
          auto result = untilStopped(stop);
          stopped.release();
          return result;
        },
        [&](const Result<int>&) { delivered = true; });
    begun.acquire();
    QSignalSpy changed(&jobs, &JobQueue::changed);
    jobs.cancel(id);
    QCOMPARE(changed.size(), 1);
    QVERIFY(jobs.running().empty());
    stopped.acquire();
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
    jobs.cancel(id);
    QCOMPARE(changed.size(), 1);
  }

  void whoWaitsForACancelledJobIsToldOnce_data() {
    QTest::addColumn<QString>("how");
    for (const char* how : {"its id", "all", "replaced"}) QTest::newRow(how) << how;
  }
  void whoWaitsForACancelledJobIsToldOnce() {
    QFETCH(QString, how);
    JobQueue jobs;
    int reported = 0;
    bool delivered = false;
    const auto never = [&](const Result<int>&) { delivered = true; };
    const int id = jobs.start<int>(
        "Endless", "slot", [](std::stop_token stop, const Progress&) { return untilStopped(stop); }, never,
        [&] { ++reported; });
    if (how == "its id") jobs.cancel(id);
    if (how == "all") jobs.cancelAll();
    if (how == "replaced") {
      jobs.start<int>(
          "Next", "slot", [](std::stop_token, const Progress&) -> Result<int> { return 1; }, [](const Result<int>&) {});
    }
    QCOMPARE(reported, 1);
    jobs.cancel(id);
    QTRY_VERIFY(jobs.running().empty());
    QCOMPARE(reported, 1);
    QVERIFY(!delivered);
  }

  void aJobThatGivesUpByItselfIsCancelled() {
    JobQueue jobs;
    int reported = 0;
    bool delivered = false;
    jobs.start<int>(
        "Give up", {}, [](std::stop_token, const Progress&) -> Result<int> { return cancelledError(); },
        [&](const Result<int>&) { delivered = true; }, [&] { ++reported; });
    QTRY_COMPARE(reported, 1);
    QVERIFY(!delivered);
  }

  void whoIsToldMayStartAnother() {
    JobQueue jobs;
    int answer = 0;
    const int id = jobs.start<int>(
        "Endless", {}, [](std::stop_token stop, const Progress&) { return untilStopped(stop); },
        [](const Result<int>&) {},
        [&] {
          jobs.start<int>(
              "Next", {}, [](std::stop_token, const Progress&) -> Result<int> { return 7; },
              [&](const Result<int>& result) { answer = *result; });
        });
    jobs.cancel(id);
    QTRY_COMPARE(answer, 7);
  }

  void progressIsReportedAndClamped() {
    JobQueue jobs;
    QSignalSpy progressed(&jobs, &JobQueue::progressed);
    std::binary_semaphore seen(0);
    jobs.start<int>(
        "Work", {},
        [&](std::stop_token, const Progress& progress) -> Result<int> {
          progress(0.5);
          seen.acquire();
          progress(7);
          return 0;
        },
        [](const Result<int>&) {});
    QVERIFY(progressed.wait());
    QCOMPARE(progressed.first().at(1).toDouble(), 0.5);
    QCOMPARE(jobs.running().at(0).progress, 0.5);
    seen.release();
    QTRY_VERIFY(jobs.running().empty());
    QCOMPARE(progressed.last().at(1).toDouble(), 1.0);
  }

  void destructionStopsWhatRuns() {
    bool delivered = false;
    bool ended = false;
    {
      JobQueue jobs;
      std::binary_semaphore begun(0);
      jobs.start<int>(
          "Endless", {},
          [&](std::stop_token stop, const Progress& progress) {
            begun.release();
            auto result = untilStopped(stop);
            progress(1);
            ended = true;
            return result;
          },
          [&](const Result<int>&) { delivered = true; });
      begun.acquire();
    }
    QVERIFY(ended);
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
  }
};

QTEST_GUILESS_MAIN(TestJobQueue)
#include "tst_job_queue.moc"
