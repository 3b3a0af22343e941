// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>
#include <functional>
#include <utility>

#include "base/result.h"
#include "views/common/private_file.h"
#include "views/common/text.h"
#include "views/runs/run_record_row.h"

namespace p2::views {
namespace {

/// The table that runs are kept in: a number, whether the run was taken from the list, and its record (RunRecord, with
/// a version of its own). `user_version` of the file tells layouts of this table apart; the first had a column for
/// every field.
constexpr int kRunLayout = 2;

/// Why the table cannot be used, if so: SQLite's error or our sentence.
struct LayoutProblem {
  QSqlError sql;
  QString sentence;
  [[nodiscard]] bool any() const { return sql.isValid() || !sentence.isEmpty(); }
};

// SQLite's own numbers (sqlite.org/rescode.html).
constexpr int kBusy = 5;
constexpr int kReadOnly = 8;
constexpr int kFull = 13;
constexpr int kCorrupt = 11;
constexpr int kNotADatabase = 26;

constexpr const char* kMakeTable =
    "CREATE TABLE %1 (id INTEGER PRIMARY KEY, hidden INTEGER NOT NULL DEFAULT 0, record TEXT NOT NULL)";

int codeOf(const QSqlError& error) { return error.nativeErrorCode().toInt() & 0xff; }

QSqlError run(QSqlDatabase& database, const QString& statement) {
  QSqlQuery query(database);
  return query.exec(statement) ? QSqlError() : query.lastError();
}

/// A row of the first layout, as the JSON of its record.
QString recordOfFirstLayout(const QSqlQuery& row) {
  const auto text = [&row](int column) { return row.value(column).toString(); };
  RunRow read;
  read.when = QDateTime::fromString(text(2), Qt::ISODateWithMs);
  read.target = text(3);
  read.system = text(4);
  read.axes = text(5);
  read.matrix = text(6);
  read.program = text(7);
  read.plan = text(8);
  read.problem = text(11);
  const QString message = text(10).trimmed();
  if (message.isEmpty()) return qs(runRecordToJson(recordOf(read)));
  read.predicted = row.value(9).toDouble();
  return qs(runRecordWithMessage(recordOf(read), message.toStdString()));
}

QSqlError copyFromFirstLayout(QSqlDatabase& database) {
  QSqlQuery from(database);
  from.setForwardOnly(true);
  if (!from.exec("SELECT id, hidden, at, target, system, axes, matrix, program, plan, predicted, result, problem "
                 "FROM runs")) {
    return from.lastError();
  }
  QSqlQuery to(database);
  if (!to.prepare("INSERT INTO runs_2 (id, hidden, record) VALUES (?, ?, ?)")) return to.lastError();
  while (from.next()) {
    to.addBindValue(from.value(0));
    to.addBindValue(from.value(1));
    to.addBindValue(recordOfFirstLayout(from));
    if (!to.exec()) return to.lastError();
  }
  return from.lastError();
}

QSqlError moveFromFirstLayout(QSqlDatabase& database) {
  if (QSqlError error = run(database, QString(kMakeTable).arg("runs_2")); error.isValid()) return error;
  if (QSqlError error = copyFromFirstLayout(database); error.isValid()) return error;
  for (const char* statement : {"DROP TABLE runs", "ALTER TABLE runs_2 RENAME TO runs"}) {
    if (QSqlError error = run(database, statement); error.isValid()) return error;
  }
  return {};
}

LayoutProblem changeLayout(QSqlDatabase& database) {
  QSqlQuery query(database);
  if (!query.exec("PRAGMA user_version") || !query.next()) return {query.lastError(), {}};
  const int layout = query.value(0).toInt();
  if (layout > kRunLayout)
    return {{}, QObject::tr("the runs were saved by a newer version of P² Explorer; use that version")};
  QStringList columns;
  if (!query.exec("PRAGMA table_info(runs)")) return {query.lastError(), {}};
  while (query.next()) columns += query.value(1).toString();
  query.finish();
  // The columns decide: the first versions wrote the number of the layout only after they had made the table.
  const QStringList today{"id", "hidden", "record"};
  const QStringList first{"id",     "hidden",  "at",   "target",    "system", "axes",
                          "matrix", "program", "plan", "predicted", "result", "problem"};
  QSqlError error;
  if (columns.isEmpty()) {
    error = run(database, QString(kMakeTable).arg("runs"));
  } else if (columns == first && layout < kRunLayout) {
    error = moveFromFirstLayout(database);
  } else if (columns != today) {
    return {
        {},
        QObject::tr("the table \"runs\" in this file has columns that this program does not know; move the file away "
                    "to begin a new one")};
  }
  if (!error.isValid() && layout != kRunLayout) {
    error = run(database, QString("PRAGMA user_version = %1").arg(kRunLayout));
  }
  return {error, {}};
}

/// Why runs cannot be kept in this file, in one sentence.
Error runFailure(const QString& path, const QSqlError& error) {
  QString sentence = QObject::tr("the runs cannot be saved: %1").arg(error.driverText() + ' ' + error.databaseText());
  if (codeOf(error) == kBusy)
    sentence = QObject::tr("another program is using the file of runs; close it and try again");
  if (codeOf(error) == kFull) sentence = QObject::tr("the disk is full; free some space and try again");
  if (codeOf(error) == kReadOnly)
    sentence = QObject::tr("the file of runs cannot be written; check its owner and permissions");
  return {sentence.toStdString(), path.toStdString(), ErrorKind::Failed};
}

/// Whether the file is no database, or has pages that make no sense.
bool isDamaged(const QSqlError& error) { return codeOf(error) == kCorrupt || codeOf(error) == kNotADatabase; }

/// Makes the table where there is none, and brings one of an older layout to today's in one transaction. A newer
/// layout, or a table with other columns, is left as it is and refused.
LayoutProblem bringToLayout(QSqlDatabase& database) {
  // Locked against other writers. A valid file is not modified.
  if (QSqlError error = run(database, "BEGIN IMMEDIATE"); error.isValid()) return {error, {}};
  LayoutProblem problem = changeLayout(database);
  if (!problem.any()) problem.sql = run(database, "COMMIT");
  if (problem.any()) (void)run(database, "ROLLBACK");
  return problem;
}

constexpr int kPatience = 2000;  // milliseconds to wait for another program's lock

QSqlError checkPages(QSqlDatabase& database) {
  QSqlQuery check(database);
  if (!check.exec("PRAGMA quick_check(1)")) return check.lastError();
  if (!check.next() || check.value(0).toString() == "ok") return {};
  constexpr int kDamagedPages = 11;  // sqlite.org/rescode.html
  return {{}, check.value(0).toString(), QSqlError::ConnectionError, QString::number(kDamagedPages)};
}

LayoutProblem prepare(QSqlDatabase& database, RunStore::Check check) {
  if (check == RunStore::Check::Pages) {
    if (const QSqlError error = checkPages(database); error.isValid()) return {error, {}};
  }
  if (LayoutProblem problem = bringToLayout(database); problem.any()) return problem;
  // A write-ahead log survives crashes; full syncing survives power cuts. Not before the layout is known: the mode is
  // written into the file, which may be somebody else's.
  for (const char* statement : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"}) {
    QSqlQuery query(database);
    if (!query.exec(statement)) return {query.lastError(), {}};
  }
  return {};
}

QString putAside(const QString& path) {
  QString kept = path + QDateTime::currentDateTime().toString("'.damaged-'yyyyMMdd-HHmmss-zzz");
  if (!QFile::rename(path, kept)) return {};
  for (const char* part : {"-wal", "-shm"}) QFile::rename(path + part, kept + part);
  return kept;
}

/// SQLite gives its log the mode of the file.
void makeAllPrivate(const QString& path) {
  makePrivate(path);
  for (const char* part : {"-wal", "-shm"}) {
    if (QFile::exists(path + part)) makePrivate(path + part);
  }
}

RunRow readRow(qint64 id, const QString& record) {
  const auto read = runRecordFromJson(record.toStdString());
  if (read.ok()) return rowFrom(id, *read);
  RunRow row;
  row.id = id;
  row.problem = qs(read.error().text());
  return row;
}

/// All statements or none.
Result<void> inTransaction(const QString& connection, const std::function<QSqlError(QSqlDatabase&)>& work) {
  QSqlDatabase database = QSqlDatabase::database(connection);
  if (!database.transaction()) return runFailure(database.databaseName(), database.lastError());
  QSqlError error = work(database);
  if (!error.isValid() && database.commit()) return {};
  if (!error.isValid()) error = database.lastError();
  database.rollback();
  return runFailure(database.databaseName(), error);
}

}  // namespace

Result<RunStore> RunStore::open(const QString& path, Check check) {
  if (!QDir().mkpath(QFileInfo(path).absolutePath())) {
    return Error{"the folder for runs cannot be created; check its owner and permissions", path.toStdString(),
                 ErrorKind::Failed};
  }
  RunStore store(QUuid::createUuid().toString());
  for (int attempt = 0; attempt < 2; ++attempt) {
    makeAllPrivate(path);
    QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", store.m_connection);
    database.setDatabaseName(path);
    database.setConnectOptions(QString("QSQLITE_BUSY_TIMEOUT=%1").arg(kPatience));
    if (!database.open()) return runFailure(path, database.lastError());
    const LayoutProblem problem = prepare(database, check);
    if (!problem.any()) return store;
    if (!problem.sentence.isEmpty()) return Error{problem.sentence.toStdString(), path.toStdString()};
    if (!isDamaged(problem.sql) || attempt > 0) return runFailure(path, problem.sql);
    database.close();
    database = {};
    QSqlDatabase::removeDatabase(store.m_connection);
    const QString kept = putAside(path);
    if (kept.isEmpty()) return runFailure(path, problem.sql);
    store.m_notice =
        QObject::tr("The file of runs was damaged; it was kept as %1, and a new one was started.").arg(kept);
  }
  return Error{"the runs cannot be opened", path.toStdString(), ErrorKind::Failed};
}

RunStore::RunStore(RunStore&& other) noexcept
    : m_connection(std::exchange(other.m_connection, {})), m_notice(std::move(other.m_notice)) {}

RunStore& RunStore::operator=(RunStore&& other) noexcept {
  std::swap(m_connection, other.m_connection);
  std::swap(m_notice, other.m_notice);
  return *this;
}

RunStore::~RunStore() {
  if (m_connection.isEmpty()) return;
  QSqlDatabase::database(m_connection, false).close();
  QSqlDatabase::removeDatabase(m_connection);
}

Result<void> RunStore::add(const std::vector<RunRow>& rows) {
  return inTransaction(m_connection, [&rows](QSqlDatabase& database) {
    QSqlQuery query(database);
    if (!query.prepare("INSERT OR IGNORE INTO runs (id, record) VALUES (?, ?)")) return query.lastError();
    for (const RunRow& row : rows) {
      query.addBindValue(row.id);
      query.addBindValue(qs(runRecordToJson(recordOf(row))));
      if (!query.exec()) return query.lastError();
    }
    return QSqlError();
  });
}

Result<void> RunStore::setHidden(const std::vector<qint64>& ids, bool hidden) {
  return inTransaction(m_connection, [&ids, hidden](QSqlDatabase& database) {
    QSqlQuery query(database);
    if (!query.prepare("UPDATE runs SET hidden = ? WHERE id = ?")) return query.lastError();
    for (const qint64 id : ids) {
      query.addBindValue(hidden ? 1 : 0);
      query.addBindValue(id);
      if (!query.exec()) return query.lastError();
    }
    return QSqlError();
  });
}

Result<std::vector<RunRow>> RunStore::rows() const {
  QSqlDatabase database = QSqlDatabase::database(m_connection);
  QSqlQuery query(database);
  query.setForwardOnly(true);
  if (!query.exec("SELECT id, record FROM runs WHERE hidden = 0 ORDER BY id DESC")) {
    return runFailure(database.databaseName(), query.lastError());
  }
  std::vector<RunRow> rows;
  while (query.next()) rows.push_back(readRow(query.value(0).toLongLong(), query.value(1).toString()));
  return rows;
}

}  // namespace p2::views
