// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_layout.h"

#include <QObject>
#include <QSqlQuery>
#include <QVariant>

#include "views/common/text.h"
#include "views/runs/run_record_row.h"

namespace p2::views {
namespace {

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

}  // namespace

Error runFailure(const QString& path, const QSqlError& error) {
  QString sentence = QObject::tr("the runs cannot be saved: %1").arg(error.driverText() + ' ' + error.databaseText());
  if (codeOf(error) == kBusy)
    sentence = QObject::tr("another program is using the file of runs; close it and try again");
  if (codeOf(error) == kFull) sentence = QObject::tr("the disk is full; free some space and try again");
  if (codeOf(error) == kReadOnly)
    sentence = QObject::tr("the file of runs cannot be written; check its owner and permissions");
  return {sentence.toStdString(), path.toStdString(), ErrorKind::Failed};
}

bool isDamaged(const QSqlError& error) { return codeOf(error) == kCorrupt || codeOf(error) == kNotADatabase; }

LayoutProblem bringToLayout(QSqlDatabase& database) {
  // Locked against other writers. A valid file is not modified.
  if (QSqlError error = run(database, "BEGIN IMMEDIATE"); error.isValid()) return {error, {}};
  LayoutProblem problem = changeLayout(database);
  if (!problem.any()) problem.sql = run(database, "COMMIT");
  if (problem.any()) (void)run(database, "ROLLBACK");
  return problem;
}

}  // namespace p2::views
