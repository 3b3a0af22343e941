// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/remote: output of programs as people paste it.
#pragma once

#include <string_view>
#include <vector>

namespace p2 {

/// The lines, without blanks around them and without what launchers write before them: "[1,0]<stdout>:", "0: ".
[[nodiscard]] std::vector<std::string_view> pastedLines(std::string_view text);

[[nodiscard]] std::vector<std::string_view> wordsOfLine(std::string_view line);

/// A finite number that is all of the word; any locale.
[[nodiscard]] bool readNumber(std::string_view word, double& value);

}  // namespace p2
