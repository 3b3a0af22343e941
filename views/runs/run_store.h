// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "base/result.h"
#include "views/runs/run_record_row.h"

namespace p2::views {

/// The runs of all documents, in an SQLite file that is its owner's alone. Rows are added and hidden, never changed;
/// every call is one transaction that is on the disk when it returns. Belongs to the thread that opened it.
class RunStore {
 public:
  enum class Check {
    Layout,  ///< only the layout of the table: fast
    Pages,   ///< all of the file as well: takes as long as reading it
  };

  /// Opens or makes the file, and brings one of an older version up to date. A file that is damaged is put aside under
  /// another name and a new one begun; `notice()` says so. Errors: no permission, a newer version, a table of other
  /// columns, locked by someone else.
  [[nodiscard]] static Result<RunStore> open(const QString& path, Check check = Check::Pages);
  RunStore(RunStore&& other) noexcept;
  RunStore& operator=(RunStore&& other) noexcept;
  ~RunStore();

  /// A message about opening the file; mostly empty.
  [[nodiscard]] QString notice() const { return m_notice; }

  /// Adds runs under their ids. Existing ids are left alone, so adding twice is harmless. Errors: disk full, file
  /// locked, other system errors; existing runs are never lost.
  [[nodiscard]] Result<void> add(const std::vector<RunRow>& rows);
  /// Hides runs of the list, or shows them again.
  [[nodiscard]] Result<void> setHidden(const std::vector<qint64>& ids, bool hidden);
  /// All that are not hidden, those with the largest ids first. A record that cannot be read is a row that says so.
  [[nodiscard]] Result<std::vector<RunRow>> rows() const;

 private:
  explicit RunStore(QString connection) : m_connection(std::move(connection)) {}

  QString m_connection;
  QString m_notice;
};

}  // namespace p2::views
