// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace p2::inline text {

/// A cell of a CSV line, quoted when it must be (RFC 4180).
[[nodiscard]] inline std::string csvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// Reads CSV (RFC 4180) row by row. Inside quotes commas and line breaks belong to the cell and "" is a quote; a quote
/// may also begin after the first character of a cell. The text must outlive the reader. O(text).
class CsvReader {
 public:
  using Cells = std::vector<std::string>;

  explicit CsvReader(std::string_view text) : m_text(text) {}

  /// The cells of the next row that is not empty; false at the end. Reuses the memory of `cells`.
  bool next(Cells& cells);
  /// The line on which that row begins, from 1.
  [[nodiscard]] std::size_t line() const { return m_rowLine; }
  /// Whether the text ended inside quotes.
  [[nodiscard]] bool isLeftOpen() const { return m_open; }

 private:
  void readCell(std::string& cell);
  void skipEmptyLines();

  std::string_view m_text;
  std::size_t m_at = 0;
  std::size_t m_line = 1;
  std::size_t m_rowLine = 0;
  bool m_open = false;
};

/// A cell without blanks and tabs around it.
[[nodiscard]] std::string_view trimmedCell(std::string_view text);

}  // namespace p2::inline text
