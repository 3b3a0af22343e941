// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/csv.h"

#include <algorithm>

namespace p2::inline text {

bool CsvReader::next(Cells& cells) {
  skipEmptyLines();
  if (m_at == m_text.size()) return false;
  m_rowLine = m_line;
  std::size_t count = 0;
  do {
    if (count == cells.size()) cells.emplace_back();
    readCell(cells[count++]);
  } while (m_at < m_text.size() && m_text[m_at] == ',' && (++m_at, true));
  cells.resize(count);
  return true;
}

void CsvReader::skipEmptyLines() {
  for (; m_at < m_text.size() && (m_text[m_at] == '\n' || m_text[m_at] == '\r'); ++m_at) {
    if (m_text[m_at] == '\n') ++m_line;
  }
}

void CsvReader::readCell(std::string& cell) {
  cell.clear();
  while (m_at < m_text.size()) {
    const std::size_t end = std::min(m_text.find_first_of(m_open ? "\"\n" : "\",\r\n", m_at), m_text.size());
    cell += m_text.substr(m_at, end - m_at);
    m_at = end;
    if (m_at == m_text.size()) return;
    const char c = m_text[m_at];
    if (!m_open && c != '"') return;
    ++m_at;
    if (c == '\n') {
      ++m_line;
      cell += c;
    } else if (m_open && m_at < m_text.size() && m_text[m_at] == '"') {
      cell += m_text[m_at++];
    } else {
      m_open = !m_open;
    }
  }
}

std::string_view trimmedCell(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

}  // namespace p2::inline text
