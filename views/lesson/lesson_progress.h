// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <set>

namespace p2::views {

/// The solved pages of a lesson, kept in the application's settings. A lesson is known by its name, a file's by
/// its path.
class LessonProgress {
 public:
  [[nodiscard]] static std::set<int> solvedPages(const QString& lesson);
  static void setSolved(const QString& lesson, int page);
  /// Clears the progress of a lesson.
  static void forget(const QString& lesson);
};

/// "●●○○": a circle per page, filled where it is solved.
[[nodiscard]] QString progressText(const std::set<int>& solved, int pages);

}  // namespace p2::views
