// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>
#include <utility>

#include "remote/messages.h"

namespace p2::views {
namespace {

constexpr int kVersion = 1;
constexpr int kPatience = 2000;  // milliseconds to wait for another program's lock
// SQLite's own numbers (sqlite.org/rescode.html).
constexpr int kBusy = 5;
constexpr int kFull = 13;
constexpr int kCorrupt = 11;
constexpr int kNotADatabase = 26;

QString tr(const char* text) { return QCoreApplication::translate("RunStore", text); }

int codeOf(const QSqlError& error) { return error.nativeErrorCode().toInt() & 0xff; }

Error failure(const QString& path, const QSqlError& error) {
  QString sentence = tr("the runs cannot be kept: %1").arg(error.driverText() + ' ' + error.databaseText());
  if (codeOf(error) == kBusy) sentence = tr("another program holds the file with the runs; close it and try again");
  if (codeOf(error) == kFull) sentence = tr("the disk is full; free some space and try again");
  return {sentence.toStdString(), path.toStdString(), ErrorKind::Failed};
}

bool isDamaged(const QSqlError& error) { return codeOf(error) == kCorrupt || codeOf(error) == kNotADatabase; }

QSqlError run(QSqlDatabase& database, const QString& statement) {
  QSqlQuery query(database);
  return query.exec(statement) ? QSqlError() : query.lastError();
}

QSqlError prepare(QSqlDatabase& database) {
  // A write-ahead log survives crashes; full syncing survives power cuts.
  for (const char* statement :
       {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
        "CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, hidden INTEGER NOT NULL DEFAULT 0, "
        "at TEXT NOT NULL, target TEXT NOT NULL, system TEXT NOT NULL, axes TEXT NOT NULL, matrix TEXT NOT NULL, "
        "program TEXT NOT NULL, plan TEXT NOT NULL, predicted REAL NOT NULL, result TEXT NOT NULL, "
        "problem TEXT NOT NULL)"}) {
    if (const QSqlError error = run(database, statement); error.isValid()) return error;
  }
  QSqlQuery check(database);
  if (!check.exec("PRAGMA quick_check(1)")) return check.lastError();
  if (check.next() && check.value(0).toString() != "ok") {
    return {{}, check.value(0).toString(), QSqlError::ConnectionError, QString::number(kCorrupt)};
  }
  return {};
}

Result<int> versionOf(QSqlDatabase& database, const QString& path) {
  QSqlQuery query(database);
  if (!query.exec("PRAGMA user_version") || !query.next()) return failure(path, query.lastError());
  return query.value(0).toInt();
}

QString putAside(const QString& path) {
  const QString kept = path + QDateTime::currentDateTime().toString("'.damaged-'yyyyMMdd-HHmmss-zzz");
  if (!QFile::rename(path, kept)) return {};
  for (const char* part : {"-wal", "-shm"}) QFile::rename(path + part, kept + part);
  return kept;
}

QString resultText(const RunRow& row) {
  return row.result ? QString::fromStdString(messageLine(RunFinished{0, *row.result})) : QString();
}

std::optional<RunResult> resultFrom(const QString& text) {
  if (text.isEmpty()) return std::nullopt;
  auto message = messageFrom(text.trimmed().toStdString());
  if (!message.ok()) return std::nullopt;
  const auto* finished = std::get_if<RunFinished>(&*message);
  return finished ? std::optional(finished->result) : std::nullopt;
}

}  // namespace

Result<RunStore> RunStore::open(const QString& path) {
  if (!QDir().mkpath(QFileInfo(path).absolutePath())) {
    return Error{"the folder for the runs cannot be made; check its owner and mode", path.toStdString(),
                 ErrorKind::Failed};
  }
  RunStore store(QUuid::createUuid().toString());
  for (int attempt = 0; attempt < 2; ++attempt) {
    QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", store.m_connection);
    database.setDatabaseName(path);
    database.setConnectOptions(QString("QSQLITE_BUSY_TIMEOUT=%1").arg(kPatience));
    if (!database.open()) return failure(path, database.lastError());
    const auto version = versionOf(database, path);
    if (version.ok() && *version > kVersion) {
      return Error{"the runs were kept by a newer version of this program; use that one", path.toStdString()};
    }
    const QSqlError error = prepare(database);
    if (!error.isValid()) {
      run(database, QString("PRAGMA user_version = %1").arg(kVersion));
      return store;
    }
    if (!isDamaged(error) || attempt > 0) return failure(path, error);
    database.close();
    database = {};
    QSqlDatabase::removeDatabase(store.m_connection);
    const QString kept = putAside(path);
    if (kept.isEmpty()) return failure(path, error);
    store.m_notice = tr("The file with the runs was damaged; it is kept as %1, and a new one was begun.").arg(kept);
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

Result<qint64> RunStore::add(const RunRow& row) {
  QSqlDatabase database = QSqlDatabase::database(m_connection);
  QSqlQuery query(database);
  query.prepare(
      "INSERT INTO runs (at, target, system, axes, matrix, program, plan, predicted, result, problem) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  // An empty text, not none.
  const auto text = [](const QString& value) { return value.isNull() ? QString("") : value; };
  for (const QVariant& value :
       {QVariant(row.when.toUTC().toString(Qt::ISODateWithMs)), QVariant(text(row.target)), QVariant(text(row.system)),
        QVariant(text(row.axes)), QVariant(text(row.matrix)), QVariant(text(row.program)), QVariant(text(row.plan)),
        QVariant(row.predicted), QVariant(text(resultText(row))), QVariant(text(row.problem))}) {
    query.addBindValue(value);
  }
  if (!query.exec()) return failure(database.databaseName(), query.lastError());
  return query.lastInsertId().toLongLong();
}

Result<void> RunStore::setHidden(const std::vector<qint64>& ids, bool hidden) {
  QSqlDatabase database = QSqlDatabase::database(m_connection);
  if (!database.transaction()) return failure(database.databaseName(), database.lastError());
  for (const qint64 id : ids) {
    QSqlQuery query(database);
    query.prepare("UPDATE runs SET hidden = ? WHERE id = ?");
    query.addBindValue(hidden ? 1 : 0);
    query.addBindValue(id);
    if (query.exec()) continue;
    const QSqlError error = query.lastError();
    database.rollback();
    return failure(database.databaseName(), error);
  }
  if (!database.commit()) return failure(database.databaseName(), database.lastError());
  return {};
}

Result<std::vector<RunRow>> RunStore::rows() const {
  QSqlDatabase database = QSqlDatabase::database(m_connection);
  QSqlQuery query(database);
  query.setForwardOnly(true);
  if (!query.exec("SELECT id, at, target, system, axes, matrix, program, plan, predicted, result, problem FROM runs "
                  "WHERE hidden = 0 ORDER BY id DESC")) {
    return failure(database.databaseName(), query.lastError());
  }
  std::vector<RunRow> rows;
  while (query.next()) {
    const auto text = [&query](int column) { return query.value(column).toString(); };
    rows.push_back({query.value(0).toLongLong(), QDateTime::fromString(text(1), Qt::ISODateWithMs).toLocalTime(),
                    text(2), text(3), text(4), text(5), text(6), text(7), query.value(8).toDouble(),
                    resultFrom(text(9)), text(10)});
  }
  return rows;
}

}  // namespace p2::views
