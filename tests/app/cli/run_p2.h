// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace p2::test {

struct Answer {
  int status = -1;  ///< −1 when the program crashed or did not end
  QString out;
  QString err;
};

/// The program of the build, or another one that is to be tested: one that is installed.
inline QString p2Program() { return qEnvironmentVariable("P2_PROGRAM", QStringLiteral(P2_PROGRAM)); }

/// Runs the real p2 and waits for its end.
inline Answer runP2(const QStringList& arguments, const QStringList& environment = {}) {
  QProcess process;
  process.setEnvironment(QProcess::systemEnvironment() + environment);
  process.start(p2Program(), arguments);
  if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit) return {};
  return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
          QString::fromUtf8(process.readAllStandardError())};
}

/// What p2 answers in JSON; nothing if it ends otherwise or has something to say besides.
inline QJsonObject jsonFrom(const QStringList& arguments, int status = 0) {
  const Answer answer = runP2(arguments + QStringList{"--json"});
  if (answer.status != status || !answer.err.isEmpty()) return {};
  return QJsonDocument::fromJson(answer.out.toUtf8()).object();
}

/// Why the arguments are not refused as mistakes are: status 2, nothing on stdout, one line on stderr, which contains
/// `part`. Empty if they are.
inline QString notRefused(const QStringList& arguments, const QString& part) {
  const Answer answer = runP2(arguments);
  const bool isOneLine = answer.err.startsWith("p2: ") && answer.err.endsWith('\n') && answer.err.count('\n') == 1;
  if (answer.status == 2 && answer.out.isEmpty() && isOneLine && answer.err.contains(part)) return {};
  return QStringLiteral("status %1, \"%2\" is not in: %3")
      .arg(answer.status)
      .arg(part, answer.out.left(300) + answer.err);
}

inline void writeFile(const QString& name, const QString& text) {
  QFile file(name);
  if (!file.open(QFile::WriteOnly) || file.write(text.toUtf8()) < 0) qFatal("cannot write %s", qPrintable(name));
}

/// The JSON object in a file; empty if there is none.
inline QJsonObject objectIn(const QString& name) {
  QFile file(name);
  if (!file.open(QFile::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object();
}

/// The file of a plan of one AllReduce among four devices.
inline QString planFileIn(const QTemporaryDir& folder) {
  const QString plan = folder.filePath("plan.json");
  const Answer planned = runP2({"plan", "gpu:4", "--axes", "4", "--reduce", "0", "--matrix", "[[4]]", "--program",
                                "root:InsideGroup:AllReduce", "-o", plan});
  if (planned.status != 0) qFatal("no plan: %s", qPrintable(planned.err));
  return plan;
}

}  // namespace p2::test
