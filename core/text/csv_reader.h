// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace p2 {

/// Reads CSV (RFC 4180) line by line. The text must outlive it.
class CsvReader {
 public:
  using Cells = std::vector<std::string>;

  explicit CsvReader(std::string_view text) : m_text(text) {}

  [[nodiscard]] int line() const { return m_line; }

  /// The cells of the next line that is not empty; false at the end.
  bool next(Cells& cells) {
    while (m_at < m_text.size() && (m_text[m_at] == '\n' || m_text[m_at] == '\r')) take();
    if (m_at == m_text.size()) return false;
    ++m_line;
    std::size_t count = 0;
    do {
      if (count == cells.size()) cells.emplace_back();
      readCell(cells[count++]);
    } while (m_at < m_text.size() && m_text[m_at] == ',' && (++m_at, true));
    cells.resize(count);
    return true;
  }

 private:
  void take() { ++m_at; }

  void readCell(std::string& cell) {
    if (m_at < m_text.size() && m_text[m_at] == '"') return readQuoted(cell);
    const std::size_t end = std::min(m_text.find_first_of(",\r\n", m_at), m_text.size());
    cell.assign(m_text.substr(m_at, end - m_at));
    m_at = end;
  }

  void readQuoted(std::string& cell) {
    cell.clear();
    for (take(); m_at < m_text.size(); take()) {
      if (m_text[m_at] == '"') {
        take();
        if (m_at == m_text.size() || m_text[m_at] != '"') return;
      }
      cell += m_text[m_at];
    }
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  int m_line = 0;
};

}  // namespace p2
