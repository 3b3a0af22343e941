// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/job_queue.h"

#include <QCoreApplication>
#include <QEvent>
#include <QThread>
#include <QThreadPool>
#include <algorithm>
#include <atomic>

#include "views/shell/pool_task.h"

namespace p2::views {
namespace {

struct LiveJob {
  JobQueue::Job job;
  QString slot;
  std::stop_source stop;
  std::function<void()> cancelled;
};

/// How far a job is, handed from its thread to the GUI's; at most one message is under way.
struct Mark {
  std::atomic<double> done{0};
  std::atomic<bool> underWay{false};
};

/// Calls queued for the GUI thread.
struct Call : QEvent {
  explicit Call(std::function<void()> function) : QEvent(QEvent::User), what(std::move(function)) {}
  std::function<void()> what;
};

}  // namespace

struct JobQueue::Private {
  Handover toWindow;  // from the threads of jobs
  QThreadPool pool;
  std::vector<LiveJob> jobs;
  int lastId = 0;

  /// Stops the matching jobs and drops their results.
  template <class Match>
  std::vector<LiveJob> drop(Match match) {
    const auto first = std::stable_partition(jobs.begin(), jobs.end(), [&](const LiveJob& job) { return !match(job); });
    std::for_each(first, jobs.end(), [](LiveJob& job) { job.stop.request_stop(); });
    std::vector<LiveJob> dropped(std::make_move_iterator(first), std::make_move_iterator(jobs.end()));
    jobs.erase(first, jobs.end());
    return dropped;
  }
  /// As drop(), and notifies the waiting callers, which may start and cancel jobs in turn.
  template <class Match>
  bool cancel(Match match) {
    const std::vector<LiveJob> dropped = drop(match);
    for (const LiveJob& job : dropped) {
      if (job.cancelled) job.cancelled();
    }
    return !dropped.empty();
  }
  LiveJob* find(int id) {
    const auto it = std::find_if(jobs.begin(), jobs.end(), [id](const LiveJob& job) { return job.job.id == id; });
    return it == jobs.end() ? nullptr : &*it;
  }
};

JobQueue::JobQueue(QObject* parent) : QObject(parent), d(std::make_unique<Private>()) {
  // One more than the running ones: a stale job takes a moment to notice that it should stop.
  d->pool.setMaxThreadCount(std::max(3, QThread::idealThreadCount() + 1));
}

JobQueue::~JobQueue() {
  d->drop([](const LiveJob&) { return true; });
  d->pool.waitForDone();
  d->toWindow.takeOver();
}

std::vector<JobQueue::Job> JobQueue::running() const {
  std::vector<Job> jobs;
  for (const LiveJob& live : d->jobs) jobs.push_back(live.job);
  return jobs;
}

bool JobQueue::isRunning(int id) const {
  return std::any_of(d->jobs.begin(), d->jobs.end(), [id](const LiveJob& live) { return live.job.id == id; });
}

void JobQueue::cancel(int id) {
  if (d->cancel([id](const LiveJob& live) { return live.job.id == id; })) emit changed();
}

void JobQueue::cancelAll() {
  if (d->cancel([](const LiveJob&) { return true; })) emit changed();
}

int JobQueue::startErased(const QString& title, const QString& slot, Erased work, std::function<void()> cancelled) {
  if (!slot.isEmpty()) d->cancel([&slot](const LiveJob& live) { return live.slot == slot; });
  const int id = ++d->lastId;
  std::stop_source stop;
  d->jobs.push_back({{id, title, 0}, slot, stop, std::move(cancelled)});
  std::function<void()> task = [this, id, stop = stop.get_token(), work = std::move(work)] {
    if (stop.stop_requested()) return;
    auto mark = std::make_shared<Mark>();
    const Progress report = [this, id, mark](double done) {
      mark->done = std::clamp(done, 0.0, 1.0);
      if (mark->underWay.exchange(true)) return;
      onGuiThread([this, id, mark] {
        mark->underWay = false;
        if (LiveJob* live = d->find(id)) {
          live->job.progress = mark->done;
          emit progressed(id, live->job.progress);
        }
      });
    };
    onGuiThread([this, id, deliver = work(stop, report)] {
      if (d->drop([id](const LiveJob& live) { return live.job.id == id; }).empty()) return;
      deliver();
      emit changed();
    });
    d->toWindow.handOver();
  };
  d->pool.start(new PoolTask(std::move(task)));
  emit changed();
  return id;
}

void JobQueue::onGuiThread(std::function<void()> what) {
  auto* call = new Call(std::move(what));
  d->toWindow.handOver();
  QCoreApplication::postEvent(this, call);
}

void JobQueue::customEvent(QEvent* event) {
  d->toWindow.takeOver();
  static_cast<Call*>(event)->what();
}

}  // namespace p2::views
