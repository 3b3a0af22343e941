// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <deque>
#include <memory>

#include "plan/plan.h"
#include "remote/runner_session.h"
#include "views/runs/run_record_row.h"

namespace p2::views {

class JobQueue;

/// One program to be run.
struct RunOrder {
  Workspace workspace;  ///< with matrix and program set
  Target target;
  QString backend = QStringLiteral("mpi");
  Bytes bytes;
  int repeat = 10;
  std::optional<int> pieces = 1;  ///< that follow each other through the steps; as many as is predicted to pay if none
};

/// Programs that wait to be run, one after the other, in one conversation with the runner of their target. Each run is
/// a job of the window's queue, where it can be cancelled too; that cancels those behind it as well.
class RunQueue : public QObject {
  Q_OBJECT
 public:
  explicit RunQueue(JobQueue& jobs, QObject* parent = nullptr);

  void add(std::vector<RunOrder> orders);
  /// Ends the run that is going on and forgets those that wait.
  void cancel();
  [[nodiscard]] bool isRunning() const { return m_job != 0; }
  [[nodiscard]] int waiting() const { return int(m_orders.size()); }
  /// Number of the present run, counted from 1, of those since the queue was last empty.
  [[nodiscard]] int position() const { return m_done; }
  [[nodiscard]] int total() const { return m_done + waiting(); }

 signals:
  void changed();                                     ///< isRunning() or waiting()
  void progressed(const QString& text, double done);  ///< state of the current run
  void logged(const QString& line);
  void finished(const p2::views::RunRow& row);  ///< with or without a result
  void cancelled();

 private:
  /// A conversation and whom it is with.
  struct Line {
    Target target;
    std::unique_ptr<RunnerSession> session;
  };
  /// The run, with its result or with the reason why there is none; an error only when it was cancelled.
  [[nodiscard]] static Result<RunRow> runOrder(const RunOrder& order, Line& line, const RunObserver& observer,
                                               const std::stop_token& stop);
  void next();
  void hangUp();
  void forgetAll();

  JobQueue& m_jobs;
  std::deque<RunOrder> m_orders;
  std::shared_ptr<Line> m_line;
  int m_job = 0;
  int m_done = 0;
};

}  // namespace p2::views
