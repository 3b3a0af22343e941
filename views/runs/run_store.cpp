// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>
#include <functional>
#include <utility>

#include "views/common/private_file.h"
#include "views/common/text.h"
#include "views/runs/run_layout.h"

namespace p2::views {
namespace {

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
