// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

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

}  // namespace p2::test
