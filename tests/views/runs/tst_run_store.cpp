// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "tests/support/fixtures.h"
#include "tests/views/runs/run_rows.h"
#include "views/runs/run_store.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

class TestRunStore : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath("deep/er/runs.sqlite");
  }

  void keepsRuns() {
    RunRow first = runRow(0.5, 0.25);
    RunRow second = failedRow("rank 3 was killed; \"quoted\" 'text'");
    {
      RunStore store = valueOf(RunStore::open(m_path));
      QVERIFY(store.notice().isEmpty());
      QVERIFY(valueOf(store.rows()).empty());
      first.id = valueOf(store.add(first));
      second.id = valueOf(store.add(second));
      QVERIFY(second.id > first.id);
    }
    const RunStore again = valueOf(RunStore::open(m_path));
    QCOMPARE(valueOf(again.rows()), (std::vector<RunRow>{second, first}));
  }

  void hidesAndShowsAgain() {
    RunStore store = valueOf(RunStore::open(m_path));
    std::vector<qint64> ids;
    for (int i = 0; i < 3; ++i) ids.push_back(valueOf(store.add(runRow(i + 1, 1))));
    QVERIFY(store.setHidden({ids[0], ids[2]}, true).ok());
    QCOMPARE(valueOf(store.rows()).size(), 1u);
    QCOMPARE(valueOf(store.rows())[0].id, ids[1]);
    QVERIFY(store.setHidden({ids[0], ids[2]}, false).ok());
    QCOMPARE(valueOf(store.rows()).size(), 3u);
  }

  // Two windows may keep runs at once.
  void twoCanShareAFile() {
    RunStore one = valueOf(RunStore::open(m_path));
    RunStore two = valueOf(RunStore::open(m_path));
    QVERIFY(one.add(runRow(1, 1)).ok());
    QVERIFY(two.add(runRow(2, 2)).ok());
    QCOMPARE(valueOf(one.rows()).size(), 2u);
  }

  void aDamagedFileIsPutAside_data() {
    QTest::addColumn<bool>("header");
    QTest::newRow("not a database at all") << true;
    QTest::newRow("pages overwritten") << false;
  }
  void aDamagedFileIsPutAside() {
    QFETCH(bool, header);
    {
      RunStore store = valueOf(RunStore::open(m_path));
      for (int i = 0; i < 200; ++i) QVERIFY(store.add(runRow(1, 1, QString(500, 'x'))).ok());
    }
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.size() > 40'000);
    file.seek(header ? 0 : 4096);
    file.write(QByteArray(header ? 4096 : 30'000, '\x5a'));
    file.close();
    RunStore store = valueOf(RunStore::open(m_path));
    QVERIFY2(store.notice().contains("was damaged; it is kept as"), qPrintable(store.notice()));
    QCOMPARE(QDir(m_folder->filePath("deep/er")).entryList({"runs.sqlite.damaged-*"}).size(), 1);
    QVERIFY(store.add(runRow(1, 1)).ok());
    QCOMPARE(valueOf(store.rows()).size(), 1u);
  }

  void aLockedFileIsNamed() {
    RunStore store = valueOf(RunStore::open(m_path));
    QVERIFY(store.add(runRow(1, 1)).ok());
    {
      QSqlDatabase other = QSqlDatabase::addDatabase("QSQLITE", "other");
      other.setDatabaseName(m_path);
      QVERIFY(other.open());
      QSqlQuery query(other);
      QVERIFY(query.exec("BEGIN EXCLUSIVE"));
      const auto added = store.add(runRow(2, 2));
      QVERIFY(!added.ok());
      QVERIFY2(QString::fromStdString(added.error().text()).contains("another program holds the file"),
               added.error().text().c_str());
      QVERIFY(query.exec("ROLLBACK"));
    }
    QSqlDatabase::removeDatabase("other");
    QVERIFY(store.add(runRow(2, 2)).ok());
    QCOMPARE(valueOf(store.rows()).size(), 2u);
  }

  // Files of this process may not grow any more, as on a full disk.
  void aFullDiskLosesNothing() {
    RunStore store = valueOf(RunStore::open(m_path));
    QVERIFY(store.add(runRow(1, 1)).ok());
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto previous = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{rlim_t(QFile(m_path + "-wal").size()), before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    RunRow large = runRow(2, 2);
    large.plan = QString(1'000'000, 'p');
    const auto added = store.add(large);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, previous);
    QVERIFY(!added.ok());
    QVERIFY(!added.error().message.empty());
    QCOMPARE(valueOf(store.rows()).size(), 1u);
    QVERIFY(store.add(large).ok());
    QCOMPARE(valueOf(store.rows()).size(), 2u);
  }

  void aNewerFileIsRefused() {
    (void)valueOf(RunStore::open(m_path));
    {
      QSqlDatabase other = QSqlDatabase::addDatabase("QSQLITE", "newer");
      other.setDatabaseName(m_path);
      QVERIFY(other.open());
      QVERIFY(QSqlQuery(other).exec("PRAGMA user_version = 2"));
    }
    QSqlDatabase::removeDatabase("newer");
    const auto store = RunStore::open(m_path);
    QVERIFY(!store.ok());
    QVERIFY(QString::fromStdString(store.error().text()).contains("newer version"));
  }

  void aFolderThatCannotBeMadeIsNamed() {
    const auto store = RunStore::open("/proc/nowhere/runs.sqlite");
    QVERIFY(!store.ok());
    QVERIFY(QString::fromStdString(store.error().text()).contains("/proc/nowhere"));
  }

 private:
  std::unique_ptr<QTemporaryDir> m_folder;
  QString m_path;
};

QTEST_GUILESS_MAIN(TestRunStore)
#include "tst_run_store.moc"
