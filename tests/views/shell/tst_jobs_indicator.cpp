// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QProgressBar>
#include <QTest>
#include <QToolButton>
#include <limits>
#include <semaphore>

#include "support/warnings.h"
#include "views/shell/job_queue.h"
#include "views/shell/jobs_indicator.h"

using namespace p2;
using namespace p2::views;

class TestJobsIndicator : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void showsProgressAndCancels() {
    std::counting_semaphore<> go(0);
    JobQueue jobs;
    QWidget window;
    JobsIndicator indicator(jobs, &window);
    window.show();
    QVERIFY(!indicator.isVisible());
    bool delivered = false;
    for (int i = 0; i < 2; ++i) {
      jobs.start<int>(
          "Work", {},
          [&go](std::stop_token, const Progress& progress) -> Result<int> {
            progress(0.5);
            go.acquire();
            return 1;
          },
          [&](const Result<int>&) { delivered = true; });
    }
    QTRY_VERIFY(indicator.isVisible());
    auto* bar = indicator.findChild<QProgressBar*>("jobsProgress");
    QTRY_COMPARE(bar->value(), bar->maximum() / 2);
    QCOMPARE(indicator.findChild<QLabel*>("jobsText")->text(), "2 jobs");
    QVERIFY(indicator.toolTip().contains("Work – 50 %"));
    QTest::mouseClick(indicator.findChild<QToolButton*>("jobsCancel"), Qt::LeftButton);
    QVERIFY(jobs.running().empty());
    QVERIFY(!indicator.isVisible());
    go.release(2);
    QVERIFY(!delivered);
  }

  void aShortJobDoesNotFlicker() {
    JobQueue jobs;
    QWidget window;
    // However slow the machine is.
    JobsIndicator indicator(jobs, &window, std::numeric_limits<int>::max());
    window.show();
    bool delivered = false;
    jobs.start<int>(
        "Short", {}, [](std::stop_token, const Progress&) -> Result<int> { return 1; },
        [&](const Result<int>&) {
          delivered = true;
          QVERIFY(!indicator.isVisible());
        });
    QTRY_VERIFY(delivered);
    QVERIFY(!indicator.isVisible());
  }
};

QTEST_MAIN(TestJobsIndicator)
#include "tst_jobs_indicator.moc"
