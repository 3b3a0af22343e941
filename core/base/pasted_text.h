// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace p2::inline base {

/// Output of a program as the program printed it, from a text as people pass it on. Decodes UTF-16, and removes
/// terminal sequences, non-breaking blanks, quotation marks of mail and Markdown, cell borders of Markdown and HTML
/// tables, and what launchers and log collectors write in front of lines: "[1,0]<stdout>:", "0: ", "[0] ",
/// "[pod/name/container] ", "(worker pid=7) ", "node1: ", "name | ", names of pods and containers that all lines share,
/// and time stamps. Blanks at both ends of lines go too. JSON and XML stay as they are. O(length).
[[nodiscard]] std::string pastedText(std::string_view text);

/// The lines of a text that are not empty.
[[nodiscard]] std::vector<std::string_view> filledLines(std::string_view text);

/// The words of a line, between blanks and tabs.
[[nodiscard]] std::vector<std::string_view> wordsOfLine(std::string_view line);

/// Reads a word that is a finite number, independent of the locale.
[[nodiscard]] bool readNumber(std::string_view word, double& value);

/// A text without control sequences of terminals.
[[nodiscard]] std::string withoutTerminalSequences(std::string_view text);

}  // namespace p2::inline base
