// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "views/shell/document_file.h"
#include "views/shell/job_queue.h"

namespace p2::views {

/// Notices that another program, or another window of this one, has written to the document's file.
class DocumentWatch : public QObject {
  Q_OBJECT
 public:
  explicit DocumentWatch(JobQueue& jobs, QObject* parent = nullptr);

  /// Watches this file instead of the one before; none for an empty path.
  void watch(const QString& path, std::shared_ptr<const KnownContents> known);
  /// Whether the file holds what this program has neither read nor written, since watch() or putUpWithIt().
  [[nodiscard]] bool hasChanged() const { return m_changed; }
  /// Accepts the present contents as known.
  void putUpWithIt();

 signals:
  void changed();

 private:
  void lookAgain();
  void look();
  void setChanged(bool changed);

  JobQueue& m_jobs;
  QFileSystemWatcher m_watcher;
  QTimer m_soon;  // a file is often touched several times in a row
  QString m_path;
  std::shared_ptr<const KnownContents> m_known;
  QDateTime m_seen;
  qint64 m_seenSize = -1;
  bool m_changed = false;
};

}  // namespace p2::views
