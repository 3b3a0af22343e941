// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <vector>

#include "export_plans.h"
#include "exporters/torchrun.h"
#include "runs/runs_file.h"

using namespace p2;

/// Outcome of a script that was started.
struct Outcome {
  int status = -1;
  QByteArray stated;
  std::vector<RunRecord> runs;
};

inline Outcome runScript(const QString& python, const QByteArray& script, const QStringList& arguments) {
  Outcome outcome;
  QTemporaryDir folder;
  QFile file(folder.filePath("run.py"));
  if (!file.open(QIODevice::WriteOnly) || file.write(script) != script.size()) return outcome;
  file.close();
  QProcess process;
  process.start(python, QStringList{file.fileName()} + arguments);
  if (!process.waitForFinished(1100000) || process.exitStatus() != QProcess::NormalExit) return outcome;
  outcome.status = process.exitCode();
  outcome.stated = process.readAllStandardError();
  const QByteArray out = process.readAllStandardOutput();
  if (arguments.contains("--check-only")) outcome.stated += out;
  const auto runs = runsFromJson(out.toStdString());
  if (runs.ok()) outcome.runs = *runs;
  return outcome;
}

inline std::vector<TorchrunJob> jobsOf(const std::vector<Plan>& plans) {
  std::vector<TorchrunJob> jobs;
  for (const Plan& plan : plans) jobs.push_back({plan.workspace().program, 1, false, plan});
  return jobs;
}

inline QByteArray scriptOf(const std::vector<TorchrunJob>& jobs) {
  return QByteArray::fromStdString(test::valueOf(torchrunScript(jobs)));
}
