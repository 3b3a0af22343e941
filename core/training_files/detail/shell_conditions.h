// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: conditions of a shell script.
#pragma once

#include <optional>

#include "training_files/detail/shell_variables.h"

namespace p2::inline training_files::shell {

/// Whether `[ … ]`, `[[ … ]]` or `test …` holds: comparisons of texts and numbers, -z and -n, !, && and ||. No value
/// for other commands, and for questions about files. Variables without a value are empty.
[[nodiscard]] std::optional<bool> conditionHolds(const Variables& variables, const std::vector<std::string>& words);

/// Whether a text matches a pattern of `case`: alternatives with | and the wildcards * and ?.
[[nodiscard]] bool matchesPattern(std::string_view text, std::string_view pattern);

}  // namespace p2::inline training_files::shell
