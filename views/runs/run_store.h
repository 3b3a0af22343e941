// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "base/result.h"
#include "views/runs/run_record_row.h"

namespace p2::views {

/// The runs of all documents, in an SQLite file. Rows are added and hidden, never changed; every call is one
/// transaction that is on the disk when it returns. For one thread.
class RunStore {
 public:
  /// Opens or makes the file. A file that is damaged is put aside under another name and a new one begun; `notice()`
  /// says so. Errors: no permission, a newer version, locked by someone else.
  [[nodiscard]] static Result<RunStore> open(const QString& path);
  RunStore(RunStore&& other) noexcept;
  RunStore& operator=(RunStore&& other) noexcept;
  ~RunStore();

  /// What the user should know about the opening; usually empty.
  [[nodiscard]] QString notice() const { return m_notice; }

  /// Adds a run and gives its id. Errors: the disk is full, the file is locked, or what else the system says; nothing
  /// that was there before is lost.
  [[nodiscard]] Result<qint64> add(const RunRow& row);
  /// Takes runs from the list, or puts them back.
  [[nodiscard]] Result<void> setHidden(const std::vector<qint64>& ids, bool hidden);
  /// All that are not hidden, newest first.
  [[nodiscard]] Result<std::vector<RunRow>> rows() const;

 private:
  explicit RunStore(QString connection) : m_connection(std::move(connection)) {}

  QString m_connection;
  QString m_notice;
};

}  // namespace p2::views
