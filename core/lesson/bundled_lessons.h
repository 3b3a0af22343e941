// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "lesson/lesson.h"

namespace p2::inline lesson {

/// A file that comes with the program, from resources/lessons.
struct BundledFile {
  std::string_view name;  ///< without suffix: "06-counted-twice", or of cost tables "chain"
  std::string_view json;
};

/// The lessons in order of their names, which begin with a number.
[[nodiscard]] std::span<const BundledFile> bundledLessons();
/// The lesson of that name, or of the name without its number. The error names those there are.
[[nodiscard]] Result<std::string_view> bundledLesson(std::string_view name);

/// The cost tables of that name on which the literal algorithm is shown. The error names those there are.
[[nodiscard]] Result<StrategyProblem> bundledTables(std::string_view name);

}  // namespace p2::inline lesson
