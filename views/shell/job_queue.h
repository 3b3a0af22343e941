// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <new>
#include <stop_token>
#include <vector>

#include "base/memory_reserve.h"
#include "base/progress.h"
#include "base/result.h"

namespace p2::views {

/// Runs pure functions of a snapshot off the GUI thread. A job has a title, a progress of 0 … 1 and can be cancelled;
/// its result, or the cancellation, arrives on the GUI thread. Use Derived for answers that are kept up to date.
class JobQueue : public QObject {
  Q_OBJECT
 public:
  struct Job {
    int id = 0;
    QString title;
    double progress = 0;
  };

  explicit JobQueue(QObject* parent = nullptr);
  /// Cancels everything and waits for the threads.
  ~JobQueue() override;

  /// Starts `work` on a worker thread; exceptions out of it become errors. A running job with the same non-empty `slot`
  /// is cancelled and its result dropped: it is stale. Exactly one of the two is called, on the GUI thread, unless the
  /// queue ends before: `done` with the value or error, `cancelled` when the job was cancelled or replaced, before
  /// cancel() or start() returns.
  template <class T>
  int start(const QString& title, const QString& slot, std::function<Result<T>(std::stop_token, const Progress&)> work,
            std::function<void(Result<T>)> done, const std::function<void()>& cancelled = {}) {
    return startErased(
        title, slot,
        [work = std::move(work), done = std::move(done), cancelled](std::stop_token stop, const Progress& progress) {
          auto result = std::make_shared<Result<T>>(guarded<T>(work, stop, progress));
          return std::function<void()>([result, done, cancelled] {
            if (result->ok() || result->error().kind != ErrorKind::Cancelled) return done(std::move(*result));
            if (cancelled) cancelled();
          });
        },
        cancelled);
  }

  [[nodiscard]] std::vector<Job> running() const;
  [[nodiscard]] bool isRunning(int id) const;
  void cancel(int id);
  void cancelAll();
  /// Calls it on the GUI thread, soon and in turn, unless the queue ends before. From the threads of its jobs.
  void onGuiThread(std::function<void()> what);

 signals:
  void changed();  ///< a job started, ended or was cancelled
  void progressed(int id, double done);

 protected:
  void customEvent(QEvent* event) override;

 private:
  using Erased = std::function<std::function<void()>(std::stop_token, const Progress&)>;
  template <class T, class Work>
  static Result<T> guarded(const Work& work, std::stop_token stop, const Progress& progress) {
    try {
      return work(std::move(stop), progress);
    } catch (const std::bad_alloc&) {
      keepMemoryReserve();
      return Error{"there is not enough memory for this; ask for less", {}, ErrorKind::TooLarge};
    } catch (const std::exception& exception) {
      return Error{exception.what(), {}, ErrorKind::Failed};
    }
  }
  int startErased(const QString& title, const QString& slot, Erased work, std::function<void()> cancelled);

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace p2::views
