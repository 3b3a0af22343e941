// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSqlDatabase>
#include <QSqlError>

#include "base/result.h"

namespace p2::views {

/// The table that runs are kept in: a number, whether the run was taken from the list, and its record (RunRecord, with
/// a version of its own). `user_version` of the file tells layouts of this table apart; the first had a column for
/// every field.
inline constexpr int kRunLayout = 2;

/// Why runs cannot be kept in this file, in one sentence.
[[nodiscard]] Error runFailure(const QString& path, const QSqlError& error);
/// Whether the file is no database, or has pages that make no sense.
[[nodiscard]] bool isDamaged(const QSqlError& error);

/// Why the table cannot be used, if so: SQLite's error or our sentence.
struct LayoutProblem {
  QSqlError sql;
  QString sentence;
  [[nodiscard]] bool any() const { return sql.isValid() || !sentence.isEmpty(); }
};

/// Makes the table where there is none, and brings one of an older layout to today's in one transaction. A newer
/// layout, or a table with other columns, is left as it is and refused.
[[nodiscard]] LayoutProblem bringToLayout(QSqlDatabase& database);

}  // namespace p2::views
