// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "support/warnings.h"
#include "tests/support/fixtures.h"
#include "tests/views/runs/run_rows.h"
#include "views/runs/run_store.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

class TestRunStore : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    test::failOnWarnings();
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
      first.id = 1;
      second.id = 2;
      QVERIFY(store.add({first}).ok());
      QVERIFY(store.add({second}).ok());
      // Adding again what may have been added does no harm.
      QVERIFY(store.add({numbered(1, runRow(7, 7)), second}).ok());
    }
    const RunStore again = valueOf(RunStore::open(m_path));
    QCOMPARE(valueOf(again.rows()), (std::vector<RunRow>{second, first}));
  }

  void hidesAndShowsAgain() {
    RunStore store = valueOf(RunStore::open(m_path));
    const std::vector<qint64> ids{1, 2, 3};
    for (const qint64 id : ids) QVERIFY(store.add({numbered(id, runRow(double(id), 1))}).ok());
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
    QVERIFY(one.add({numbered(1, runRow(1, 1))}).ok());
    QVERIFY(two.add({numbered(2, runRow(2, 2))}).ok());
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
      for (int i = 1; i <= 200; ++i) QVERIFY(store.add({numbered(i, runRow(1, 1, QString(500, 'x')))}).ok());
    }
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.size() > 40'000);
    file.seek(header ? 0 : 4096);
    file.write(QByteArray(header ? 4096 : 30'000, '\x5a'));
    file.close();
    RunStore store = valueOf(RunStore::open(m_path));
    QVERIFY2(store.notice().contains("was damaged; it was kept as"), qPrintable(store.notice()));
    QCOMPARE(QDir(m_folder->filePath("deep/er")).entryList({"runs.sqlite.damaged-*"}).size(), 1);
    QVERIFY(store.add({numbered(1, runRow(1, 1))}).ok());
    QCOMPARE(valueOf(store.rows()).size(), 1u);
  }

  void aLockedFileIsNamed() {
    RunStore store = valueOf(RunStore::open(m_path));
    QVERIFY(store.add({numbered(1, runRow(1, 1))}).ok());
    {
      QSqlDatabase other = QSqlDatabase::addDatabase("QSQLITE", "other");
      other.setDatabaseName(m_path);
      QVERIFY(other.open());
      QSqlQuery query(other);
      QVERIFY(query.exec("BEGIN EXCLUSIVE"));
      const auto added = store.add({numbered(2, runRow(2, 2))});
      QVERIFY(!added.ok());
      QVERIFY2(QString::fromStdString(added.error().text()).contains("another program is using the file"),
               added.error().text().c_str());
      QVERIFY(query.exec("ROLLBACK"));
    }
    QSqlDatabase::removeDatabase("other");
    QVERIFY(store.add({numbered(2, runRow(2, 2))}).ok());
    QCOMPARE(valueOf(store.rows()).size(), 2u);
  }

  // Files of this process may not grow any more, as on a full disk.
  void aFullDiskLosesNothing() {
    RunStore store = valueOf(RunStore::open(m_path));
    QVERIFY(store.add({numbered(1, runRow(1, 1))}).ok());
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto previous = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{rlim_t(QFile(m_path + "-wal").size()), before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    RunRow large = numbered(2, runRow(2, 2));
    large.plan = QString(1'000'000, 'p');
    const auto added = store.add({large});
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, previous);
    QVERIFY(!added.ok());
    QVERIFY(!added.error().message.empty());
    QCOMPARE(valueOf(store.rows()).size(), 1u);
    QVERIFY(store.add({large}).ok());
    QCOMPARE(valueOf(store.rows()).size(), 2u);
  }

  void aNewerFileIsRefused() {
    (void)valueOf(RunStore::open(m_path));
    runSql({"PRAGMA user_version = 3"});
    const auto store = RunStore::open(m_path);
    QVERIFY(!store.ok());
    QVERIFY(QString::fromStdString(store.error().text()).contains("newer version"));
  }

  // Made by the program as it was before records had a form of their own.
  void theFirstLayoutIsBroughtUpToDate() {
    QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
    QVERIFY(QFile::copy(P2_TEST_DATA "/runs/layout-1.sqlite", m_path));
    for (int times = 0; times < 2; ++times) {
      RunStore store = valueOf(RunStore::open(m_path));
      QVERIFY(store.notice().isEmpty());
      const std::vector<RunRow> rows = valueOf(store.rows());
      QCOMPARE(rows.size(), 3u);
      const RunRow& first = rows[2];
      QCOMPARE(first.id, 1);
      QCOMPARE(first.when.toMSecsSinceEpoch(), 1'700'000'000'123);
      QCOMPARE(first.target, QStringLiteral("cluster7"));
      QCOMPARE(first.axes, QStringLiteral("data 8 ∑ · model 2"));
      QCOMPARE(first.plan, QStringLiteral("{\"format\": \"p2-plan\"}"));
      QCOMPARE(first.predicted, std::optional(0.0123));
      QVERIFY(first.result && !first.failed());
      QCOMPARE(first.result->seconds, (Spread{0.010, 0.0125, 0.02}));
      QCOMPARE(first.result->hosts.size(), 4u);
      QCOMPARE(first.result->steps.size(), 3u);
      QCOMPARE(first.result->steps[1].collective, std::string("AllReduce"));
      QVERIFY(!rows[1].result && !rows[1].predicted);
      QVERIFY(rows[1].problem.startsWith("rank 3 on n1 was killed; \"see\" the log — it's there"));
      QCOMPARE(rows[0].result->wrongElements, 3);
      QVERIFY(rows[0].failed());
      // What was taken from the list can still be brought back.
      QVERIFY(store.setHidden({4}, false).ok());
      QCOMPARE(valueOf(store.rows())[0].problem, QStringLiteral("hidden by the user"));
      QVERIFY(store.setHidden({4}, true).ok());
    }
    QCOMPARE(textsOf("PRAGMA user_version"), QStringList{"2"});
    QCOMPARE(textsOf("SELECT name FROM sqlite_master WHERE type = 'table'"), QStringList{"runs"});
  }

  // The first version wrote the number of the layout only after it had made the table.
  void aFirstLayoutWithoutItsNumberIsBroughtUpToDate() {
    QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
    QVERIFY(QFile::copy(P2_TEST_DATA "/runs/layout-1.sqlite", m_path));
    runSql({"PRAGMA user_version = 0", "UPDATE runs SET result = 'no message' WHERE id = 1"});
    const RunStore store = valueOf(RunStore::open(m_path));
    const std::vector<RunRow> rows = valueOf(store.rows());
    QCOMPARE(rows.size(), 3u);
    QVERIFY(rows[2].problem.contains("cannot read"));
    // Nothing of it is lost.
    QVERIFY(textsOf("SELECT record FROM runs WHERE id = 1")[0].contains("\"result\":\"no message\""));
  }

  void aTableOfOtherColumnsIsRefused_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<int>("version");
    QTest::newRow("somebody else's") << "CREATE TABLE runs (pace REAL, kilometres REAL)" << 0;
    QTest::newRow("one column more") << "CREATE TABLE runs (id INTEGER PRIMARY KEY, hidden INTEGER NOT NULL DEFAULT 0, "
                                        "record TEXT NOT NULL, owner TEXT NOT NULL)"
                                     << 2;
    QTest::newRow("the first one's columns under the number of the second")
        << "CREATE TABLE runs (id INTEGER PRIMARY KEY, hidden INTEGER, at TEXT, target TEXT, system TEXT, axes TEXT, "
           "matrix TEXT, program TEXT, plan TEXT, predicted REAL, result TEXT, problem TEXT)"
        << 2;
  }
  void aTableOfOtherColumnsIsRefused() {
    QFETCH(QString, table);
    QFETCH(int, version);
    QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
    runSql({table, QString("PRAGMA user_version = %1").arg(version)});
    const QByteArray before = contentOf(m_path);
    const auto store = RunStore::open(m_path);
    QVERIFY(!store.ok());
    const QString sentence = QString::fromStdString(store.error().text());
    QVERIFY2(sentence.contains("columns that this program does not know"), qPrintable(sentence));
    QVERIFY(sentence.contains(m_path));
    QCOMPARE(contentOf(m_path), before);
  }

  // It is shown as far as it is understood, and stays as it is, whatever is done with it.
  void aNewerRecordIsNeverRewritten() {
    { (void)valueOf(RunStore::open(m_path)); }
    const QString newer = QStringLiteral(
        "{ \"version\":7,\"target\":\"moon\", \"when_ms\":1700000000000,\"joules\":[1,2],\"result\":"
        "{\"seconds\":{\"median\":0.5,\"p99\":9},\"wrong_elements\":0,\"goal\":\"AllToAll\"}}");
    runSql({"INSERT INTO runs (id, record) VALUES (5, '" + newer + "')",
            "INSERT INTO runs (id, record) VALUES (6, 'torn apa')"});
    {
      RunStore store = valueOf(RunStore::open(m_path));
      std::vector<RunRow> rows = valueOf(store.rows());
      QCOMPARE(rows.size(), 2u);
      QVERIFY(rows[0].problem.contains("damaged"));
      QCOMPARE(rows[1].target, QStringLiteral("moon"));
      QCOMPARE(rows[1].result->seconds, (Spread{0.5, 0.5, 0.5}));
      QVERIFY(!rows[1].failed() && !rows[1].predicted);
      QVERIFY(store.setHidden({5, 6}, true).ok());
      QVERIFY(store.setHidden({5, 6}, false).ok());
      QVERIFY(store.add(rows).ok());
    }
    QCOMPARE(textsOf("SELECT record FROM runs ORDER BY id"), (QStringList{newer, "torn apa"}));
  }

  void nobodyElseMayReadIt() {
    const mode_t before = ::umask(022);
    constexpr QFile::Permissions kOthers = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    const QStringList files{m_path, m_path + "-wal", m_path + "-shm"};
    {
      RunStore store = valueOf(RunStore::open(m_path));
      QVERIFY(store.add({numbered(1, runRow(1, 1))}).ok());
      for (const QString& file : files) {
        QVERIFY2(QFile::exists(file), qPrintable(file));
        QVERIFY2(!(QFile::permissions(file) & kOthers), qPrintable(file));
      }
      // As earlier versions left them.
      for (const QString& file : files) QFile::setPermissions(file, QFile::permissions(file) | QFile::ReadOther);
      const RunStore again = valueOf(RunStore::open(m_path));
      for (const QString& file : files) QVERIFY2(!(QFile::permissions(file) & kOthers), qPrintable(file));
    }
    ::umask(before);
  }

  void aFolderThatCannotBeMadeIsNamed() {
    const auto store = RunStore::open("/proc/nowhere/runs.sqlite");
    QVERIFY(!store.ok());
    QVERIFY(QString::fromStdString(store.error().text()).contains("/proc/nowhere"));
  }

 private:
  /// What another program could do to the file.
  void runSql(const QStringList& statements) {
    {
      QSqlDatabase other = QSqlDatabase::addDatabase("QSQLITE", "sql");
      other.setDatabaseName(m_path);
      QVERIFY(other.open());
      for (const QString& statement : statements) QVERIFY2(QSqlQuery(other).exec(statement), qPrintable(statement));
    }
    QSqlDatabase::removeDatabase("sql");
  }
  QStringList textsOf(const QString& statement) {
    QStringList texts;
    {
      QSqlDatabase other = QSqlDatabase::addDatabase("QSQLITE", "texts");
      other.setDatabaseName(m_path);
      if (!other.open()) return {};
      QSqlQuery query(other);
      query.exec(statement);
      while (query.next()) texts += query.value(0).toString();
    }
    QSqlDatabase::removeDatabase("texts");
    return texts;
  }
  static QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  QString m_path;
};

QTEST_GUILESS_MAIN(TestRunStore)
#include "tst_run_store.moc"
