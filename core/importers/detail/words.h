// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: text as programs print it and people pass it on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace p2::inline importers {

/// One line's words, as views of the text.
struct WordRow {
  std::vector<std::string_view> words;
  std::size_t line = 0;
};

/// Words of every line that has some; blanks, tabs and carriage returns stand between them.
[[nodiscard]] std::vector<WordRow> wordRowsOf(std::string_view text);

/// "GPU0", "GPU15".
[[nodiscard]] bool isGpuName(std::string_view word);

/// The text in UTF-8, without byte order mark and without a terminal's control sequences. UTF-16 is recognised by its
/// mark.
[[nodiscard]] std::string plainText(std::string_view text);

/// The text with a question mark for every control code but line breaks and tabs: also for the control codes of UTF-8's
/// second block and for marks that change the direction of writing.
[[nodiscard]] std::string printable(std::string text);

}  // namespace p2::inline importers
