// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_queue.h"

#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <utility>

#include "explore/run_prediction.h"
#include "exporters/torchrun.h"
#include "remote/run_setting.h"
#include "views/common/text.h"
#include "views/shell/job_queue.h"
#include "views/shell/pool_task.h"

namespace p2::views {
namespace {

constexpr int kMostShown = 100;  // characters of the launcher's output shown as progress

/// A run before it has a result.
RunRow rowOf(const RunOrder& order) {
  RunRow row;
  row.when = QDateTime::currentDateTime();
  row.target = qs(order.target.name);
  row.setting = settingOf(order.target);
  row.system = qs(order.workspace.system.name);
  row.axes = qs(recordedAxes(order.workspace.axes));
  row.matrix = qs(order.workspace.matrix.text());
  row.program = qs(order.workspace.program);
  return row;
}

QString progressText(const RunProgress& progress) {
  if (progress.phase == "starting") return RunQueue::tr("starting the ranks");
  if (progress.phase == "checking") return RunQueue::tr("checking every element");
  const QString phase = progress.phase == "running" ? RunQueue::tr("running") : RunQueue::tr("warming up");
  return RunQueue::tr("%1, repetition %2 of %3, step %4 of %5")
      .arg(phase)
      .arg(progress.repetition + 1)
      .arg(progress.repetitions)
      .arg(progress.step)
      .arg(progress.steps);
}

double fractionOf(const RunProgress& progress) {
  return progress.repetitions > 0 ? double(progress.repetition) / progress.repetitions : 0;
}

}  // namespace

Result<RunRow> RunQueue::runOrder(const RunOrder& order, Line& line, const RunObserver& observer,
                                  const std::stop_token& stop) {
  RunRow row = rowOf(order);
  const auto failed = [&row](const Error& error) -> Result<RunRow> {
    if (error.kind == ErrorKind::Cancelled) return error;
    row.problem = qs(error.text());
    return row;
  };
  const auto plan = makePlan(order.workspace, stop);
  if (!plan.ok()) return failed(plan.error());
  RunRequest request;
  request.plan = planToJson(*plan);
  request.backend = order.backend.toStdString();
  request.bytes = order.bytes;
  request.repeat = order.repeat;
  if (!order.pieces) {
    const auto best = predictRun(order.workspace, order.bytes, std::nullopt, stop);
    if (!best.ok()) return failed(best.error());
    request.pieces = best->overlapped->chunks;
  } else {
    request.pieces = *order.pieces;
  }
  row.plan = qs(request.plan);
  if (!line.session || !line.session->isOpen()) {
    auto session = RunnerSession::open(order.target, stop);
    if (!session.ok()) return failed(session.error());
    line.session = std::make_unique<RunnerSession>(std::move(session).value());
  }
  const RunIdentity asked = identityOf(request, *plan);
  auto result = line.session->run(std::move(request), observer, stop);
  if (!result.ok()) return failed(result.error());
  if (auto answers = checkAnswer(*result, asked); !answers.ok()) return failed(answers.error());
  const auto predicted = predictRun(order.workspace, result->bytes, result->pieces, stop);
  if (!predicted.ok()) return failed(predicted.error());
  row.predicted = predicted->rankedSeconds();
  row.setResult(std::move(result).value());
  return row;
}

RunQueue::RunQueue(JobQueue& jobs, QObject* parent) : QObject(parent), m_jobs(jobs) {}

void RunQueue::add(std::vector<RunOrder> orders) {
  if (!isRunning()) m_done = 0;
  std::move(orders.begin(), orders.end(), std::back_inserter(m_orders));
  if (!isRunning()) next();
  emit changed();
}

void RunQueue::cancel() {
  m_orders.clear();
  if (isRunning()) m_jobs.cancel(m_job);
}

void RunQueue::forgetAll() {
  m_job = 0;
  m_orders.clear();
  // The cancelled run still speaks over this line until its workers have ended.
  hangUp();
  emit cancelled();
  emit changed();
}

void RunQueue::hangUp() {
  // The other side is given a moment to end its workers, which is none of the window's business.
  if (!m_line) return;
  QThreadPool::globalInstance()->start(
      new PoolTask([line = std::exchange(m_line, nullptr)]() mutable { line.reset(); }));
}

void RunQueue::next() {
  m_job = 0;
  if (m_orders.empty()) return hangUp();
  const auto order = std::make_shared<const RunOrder>(std::move(m_orders.front()));
  m_orders.pop_front();
  if (m_line && m_line->target != order->target) hangUp();
  if (!m_line) m_line = std::make_shared<Line>(Line{order->target, nullptr});
  const QPointer<RunQueue> self(this);
  JobQueue* jobs = &m_jobs;
  // The job queue outlives its threads, this object need not.
  const auto tell = [self, jobs](auto what) {
    jobs->onGuiThread([self, what] {
      if (self) what(*self);
    });
  };
  const auto work = [order, line = m_line, tell](const std::stop_token& stop, const Progress& report) {
    RunObserver observer;
    bool begun = false;
    observer.progress = [&](const RunProgress& progress) {
      begun = true;
      report(fractionOf(progress));
      tell([progress](RunQueue& queue) { emit queue.progressed(progressText(progress), fractionOf(progress)); });
    };
    observer.log = [&](const std::string& text) {
      // A launcher may have to wait for its nodes, and says so.
      tell([stated = qs(text), waits = !begun](RunQueue& queue) {
        emit queue.logged(stated);
        if (waits) emit queue.progressed(stated.left(kMostShown), 0);
      });
    };
    return runOrder(*order, *line, observer, stop);
  };
  ++m_done;
  const QString title = tr("Run %1 of %2 on %3").arg(m_done).arg(m_done + waiting()).arg(qs(order->target.name));
  const auto done = [self, order](Result<RunRow> row) {
    if (!self) return;
    if (!row.ok()) {
      RunRow failed = rowOf(*order);
      failed.problem = qs(row.error().text());
      row = failed;
    }
    emit self->finished(*row);
    if (self) self->next();
    if (self) emit self->changed();
  };
  m_job = m_jobs.start<RunRow>(title, {}, work, done, [self] {
    if (self) self->forgetAll();
  });
}

}  // namespace p2::views
