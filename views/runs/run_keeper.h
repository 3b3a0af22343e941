// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "base/result.h"
#include "views/runs/runs_model.h"

namespace p2::views {

class JobQueue;

/// The shown runs and their file, which only jobs read and write. A run is shown at once; a run that cannot be written
/// stays shown and is written with the next.
class RunKeeper : public QObject {
  Q_OBJECT
 public:
  RunKeeper(JobQueue& jobs, QString path, QObject* parent = nullptr);
  /// Waits for pending writes.
  ~RunKeeper() override;

  [[nodiscard]] RunsModel& model() { return m_model; }
  [[nodiscard]] const RunsModel& model() const { return m_model; }
  /// Reads the file, creating it if missing, and shows its runs.
  void open();
  [[nodiscard]] bool isReading() const { return m_job != 0 && !m_isRead; }
  /// The runs that are not shown yet. Runs are equal if their time and all figures are, with any ids.
  [[nodiscard]] std::vector<RunRow> lacking(std::vector<RunRow> rows) const;
  /// Shows runs, which get their ids, and writes them.
  void keep(std::vector<RunRow> rows);
  /// Hides runs of the list, or shows hidden ones again.
  void setHidden(const std::vector<qint64>& ids, bool hidden);
  /// Tries again what could not be written.
  void write();

 signals:
  void changed();  ///< the runs shown, or isReading()
  void problem(const QString& sentence);

 private:
  struct Hiding {
    std::vector<qint64> ids;
    bool hidden = false;
  };
  /// Runs not yet in the file, in this order.
  struct Changes {
    std::vector<RunRow> added;
    std::vector<Hiding> hidings;
    [[nodiscard]] bool empty() const { return added.empty() && hidings.empty(); }
  };
  struct Content {
    QString notice;
    std::vector<RunRow> rows;
  };
  [[nodiscard]] static Result<Content> read(const QString& path);
  [[nodiscard]] static Result<bool> writeTo(const QString& path, const Changes& changes);
  template <class T>
  void start(const QString& title, std::function<Result<T>()> work, void (RunKeeper::*done)(Result<T>));
  void finishReading(Result<Content> content);
  void finishWriting(Result<bool> written);
  void fail(const Error& error);
  void showNext(std::vector<RunRow> rows);
  [[nodiscard]] qint64 newId();

  JobQueue& m_jobs;
  QString m_path;
  RunsModel m_model;
  std::vector<RunRow> m_taken;  // from the list, to be brought back perhaps
  Changes m_changes;
  Changes m_underWay;  // the part of them that a job writes
  int m_job = 0;
  bool m_isRead = false;
  qint64 m_lastId = 0;
};

}  // namespace p2::views
