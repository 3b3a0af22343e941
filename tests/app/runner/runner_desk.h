// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <functional>
#include <future>

#include "plan/plan.h"
#include "remote/runner_session.h"
#include "tests/support/fixtures.h"

namespace p2::test {

/// A copy of the runner under a path of its own, so that its processes can be told from all others.
class RunnerDesk {
 public:
  RunnerDesk() : m_runner(m_folder.filePath("p2-runner")) {
    std::signal(SIGPIPE, SIG_IGN);
    if (!QFile::copy(P2_RUNNER, m_runner)) qFatal("cannot copy %s", P2_RUNNER);
  }

  [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
  [[nodiscard]] QString runner() const { return m_runner; }
  [[nodiscard]] Target target() const {
    Target target;
    target.runner = m_runner.toStdString();
    return target;
  }

  /// Something of this folder that can be started.
  void writeScript(const QString& name, const QString& text) const {
    QFile script(path(name));
    if (!script.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(name));
    script.write(text.toUtf8());
    script.close();
    script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
  }

  /// The plan of the best program for a system, everything reduced.
  [[nodiscard]] static std::string plan(const char* system) {
    Workspace workspace;
    workspace.system = valueOf(parseSystem(system));
    workspace.axes = {{"all", workspace.system.deviceCount(), true}};
    const auto found = valueOf(exploreWorkspace(workspace, {}));
    workspace.matrix = found->placements[0].matrix;
    workspace.program = programText(*found->placements[0].hierarchy, found->placements[0].programs[0].program);
    return planToJson(valueOf(makePlan(workspace)));
  }
  [[nodiscard]] static RunRequest request(const char* system, int repeat = 3) {
    RunRequest request;
    request.plan = plan(system);
    request.bytes = Bytes(64 * 1024);
    request.repeat = repeat;
    request.warmup = 1;
    return request;
  }
  /// A run that would take minutes.
  [[nodiscard]] static RunRequest endlessRequest() { return request("node:2 gpu:2", kMostRuns); }

  /// Processes of this copy of the runner, and launchers that were told to start it, with `word` among their
  /// arguments.
  [[nodiscard]] QList<int> processes(const QByteArray& word = {}) const {
    QList<int> found;
    for (const QString& entry : QDir("/proc").entryList(QDir::Dirs)) {
      bool isNumber = false;
      const int id = entry.toInt(&isNumber);
      if (!isNumber) continue;
      QFile file("/proc/" + entry + "/cmdline");
      if (!file.open(QIODevice::ReadOnly)) continue;
      const QList<QByteArray> words = file.readAll().split('\0');
      if (words.contains(m_runner.toUtf8()) && (word.isEmpty() || words.contains(word))) found += id;
    }
    return found;
  }
  /// The workers themselves.
  [[nodiscard]] QList<int> workers() const {
    QList<int> found;
    for (const int id : processes("worker")) {
      if (QFile::symLinkTarget(QString("/proc/%1/exe").arg(id)) == m_runner) found += id;
    }
    return found;
  }

  /// The rank of a worker; −1 while it has none, or is gone.
  [[nodiscard]] static int rankOf(int id) {
    QFile file(QString("/proc/%1/environ").arg(id));
    if (!file.open(QIODevice::ReadOnly)) return -1;
    const QByteArray name = "OMPI_COMM_WORLD_RANK=";
    for (const QByteArray& variable : file.readAll().split('\0')) {
      if (variable.startsWith(name)) return variable.mid(name.size()).toInt();
    }
    return -1;
  }

 private:
  QTemporaryDir m_folder;
  QString m_runner;
};

/// A run on a thread of its own, that can be watched and stopped.
class WatchedRun {
 public:
  WatchedRun(RunnerSession& session, RunRequest request, const QString& stopAt = {}) {
    m_result = std::async(std::launch::async, [this, &session, request = std::move(request), stopAt] {
      RunObserver observer;
      observer.progress = [this, stopAt](const RunProgress& progress) {
        if (progress.phase == "running") m_running = true;
        if (progress.phase == stopAt.toStdString()) m_stop.request_stop();
      };
      observer.log = [this](const std::string&) { ++m_logged; };
      return session.run(request, observer, m_stop.get_token());
    });
  }
  [[nodiscard]] bool running() const { return m_running; }
  [[nodiscard]] int logged() const { return m_logged; }
  void stop() { m_stop.request_stop(); }
  [[nodiscard]] bool over() const { return m_result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  [[nodiscard]] Result<RunResult> result() { return m_result.get(); }

 private:
  std::atomic<bool> m_running = false;
  std::atomic<int> m_logged = 0;
  std::stop_source m_stop;
  std::future<Result<RunResult>> m_result;
};

}  // namespace p2::test

/// The error must be there and contain these words.
#define P2_VERIFY_ERROR(result, words)                                      \
  do {                                                                      \
    const auto& p2Result = (result);                                        \
    QVERIFY(!p2Result.ok());                                                \
    const QString p2Text = QString::fromStdString(p2Result.error().text()); \
    QVERIFY2(p2Text.contains(words), qPrintable(p2Text));                   \
  } while (false)
