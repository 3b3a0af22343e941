// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include "support/warnings.h"
#include "tests/support/fixtures.h"
#include "tests/views/runs/run_rows.h"
#include "views/runs/run_keeper.h"
#include "views/runs/run_store.h"
#include "views/shell/job_queue.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

namespace {

constexpr int kMany = 3000;
constexpr int kUntilStored = 60'000;  // milliseconds

/// Holds the file as another program would.
class Lock {
 public:
  explicit Lock(const QString& path) {
    QSqlDatabase other = QSqlDatabase::addDatabase("QSQLITE", "lock");
    other.setDatabaseName(path);
    if (!other.open() || !QSqlQuery(other).exec("BEGIN EXCLUSIVE")) qFatal("%s cannot be locked", qPrintable(path));
  }
  ~Lock() {
    (void)QSqlQuery(QSqlDatabase::database("lock")).exec("ROLLBACK");
    QSqlDatabase::database("lock").close();
    QSqlDatabase::removeDatabase("lock");
  }
};

}  // namespace

/// Runs that are shown at once and written by jobs.
class TestRunKeeper : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    test::failOnWarnings();
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath("runs.sqlite");
  }

  void showsAtOnceAndWritesLater() {
    JobQueue jobs;
    RunKeeper keeper(jobs, m_path);
    keeper.open();
    QVERIFY(keeper.isReading());
    QCOMPARE(jobs.running().size(), 1u);
    keeper.keep({runRow(1, 1), runRow(2, 2)});
    QCOMPARE(keeper.model().rowCount(), 2);
    QVERIFY(keeper.model().row(0).id > keeper.model().row(1).id);
    QCOMPARE(keeper.model().row(0).result->seconds.median, 2.0);
    QTRY_VERIFY(jobs.running().empty());
    QCOMPARE(rowsOnDisk().size(), 2u);
    QCOMPARE(rowsOnDisk()[0], keeper.model().row(0));
  }

  // Thousands are shown bit by bit, so that the window goes on; what is kept meanwhile stays on top.
  void readsManyWithoutStartingAnew() {
    std::vector<RunRow> many;
    for (int i = 1; i <= kMany; ++i) many.push_back(numbered(i, runRow(1, 1)));
    QVERIFY(valueOf(RunStore::open(m_path)).add(many).ok());
    JobQueue jobs;
    RunKeeper keeper(jobs, m_path);
    QSignalSpy reset(&keeper.model(), &QAbstractItemModel::modelReset);
    QSignalSpy inserted(&keeper.model(), &QAbstractItemModel::rowsInserted);
    keeper.open();
    keeper.keep({runRow(3, 3)});
    QTRY_COMPARE_WITH_TIMEOUT(keeper.model().rowCount(), kMany + 1, kUntilStored);
    QVERIFY(inserted.size() > 5);
    inserted.clear();
    QTRY_VERIFY_WITH_TIMEOUT(jobs.running().empty(), kUntilStored);
    keeper.keep({runRow(4, 4)});
    QTRY_VERIFY_WITH_TIMEOUT(jobs.running().empty(), kUntilStored);
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(inserted[0][1].toInt(), 0);
    QCOMPARE(inserted[0][2].toInt(), 0);
    QCOMPARE(reset.size(), 0);
    QCOMPARE(rowsOnDisk().size(), std::size_t(kMany + 2));
  }

  void takesAwayAndBringsBack() {
    JobQueue jobs;
    RunKeeper keeper(jobs, m_path);
    keeper.keep({runRow(1, 1), runRow(2, 2), runRow(3, 3)});
    const std::vector<qint64> ids{keeper.model().row(2).id, keeper.model().row(0).id};
    keeper.setHidden(ids, true);
    QCOMPARE(keeper.model().rowCount(), 1);
    QTRY_VERIFY(jobs.running().empty());
    QCOMPARE(rowsOnDisk().size(), 1u);
    keeper.setHidden(ids, false);
    QCOMPARE(keeper.model().rowCount(), 3);
    QCOMPARE(keeper.model().row(2).result->seconds.median, 1.0);
    QTRY_VERIFY(jobs.running().empty());
    QCOMPARE(rowsOnDisk().size(), 3u);
  }

  void whatCannotBeWrittenIsWrittenWithTheNext() {
    JobQueue jobs;
    RunKeeper keeper(jobs, m_path);
    keeper.open();
    QTRY_VERIFY(jobs.running().empty());
    QSignalSpy problem(&keeper, &RunKeeper::problem);
    {
      const Lock lock(m_path);
      keeper.keep({runRow(1, 1)});
      QTRY_COMPARE(problem.size(), 1);
      QVERIFY(problem[0][0].toString().contains("another program is using the file"));
      QVERIFY(problem[0][0].toString().contains("stored with the next run"));
      QCOMPARE(keeper.model().rowCount(), 1);
    }
    keeper.keep({runRow(2, 2)});
    QTRY_VERIFY(jobs.running().empty());
    QCOMPARE(rowsOnDisk().size(), 2u);
    QCOMPARE(problem.size(), 1);
  }

  // The window closes with the job that writes still waiting, or cancelled by the user.
  void closingLosesNothing_data() {
    QTest::addColumn<bool>("cancelled");
    QTest::newRow("closed at once") << false;
    QTest::newRow("cancelled") << true;
  }
  void closingLosesNothing() {
    QFETCH(bool, cancelled);
    JobQueue jobs;
    {
      RunKeeper keeper(jobs, m_path);
      keeper.open();
      QTRY_VERIFY(jobs.running().empty());
      keeper.keep({runRow(1, 1)});
      if (cancelled) jobs.cancelAll();
      keeper.keep({runRow(2, 2)});
      if (cancelled) jobs.cancelAll();
    }
    QTRY_VERIFY(jobs.running().empty());
    QCOMPARE(rowsOnDisk().size(), 2u);
  }

  void aFileOfOthersIsLeftAlone() {
    {
      QSqlDatabase other = QSqlDatabase::addDatabase("QSQLITE", "other");
      other.setDatabaseName(m_path);
      QVERIFY(other.open());
      QVERIFY(QSqlQuery(other).exec("CREATE TABLE runs (kilometres REAL)"));
    }
    QSqlDatabase::removeDatabase("other");
    JobQueue jobs;
    RunKeeper keeper(jobs, m_path);
    QSignalSpy problem(&keeper, &RunKeeper::problem);
    keeper.open();
    QTRY_COMPARE(problem.size(), 1);
    QVERIFY(problem[0][0].toString().contains("columns that this program does not know"));
    QVERIFY(!keeper.isReading());
    keeper.keep({runRow(1, 1)});
    QTRY_COMPARE(problem.size(), 2);
    QCOMPARE(keeper.model().rowCount(), 1);
  }

 private:
  std::vector<RunRow> rowsOnDisk() { return valueOf(valueOf(RunStore::open(m_path)).rows()); }

  std::unique_ptr<QTemporaryDir> m_folder;
  QString m_path;
};

QTEST_MAIN(TestRunKeeper)
#include "tst_run_keeper.moc"
