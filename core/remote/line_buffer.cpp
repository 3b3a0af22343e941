// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/detail/line_buffer.h"

namespace p2::inline remote {

void LineBuffer::append(std::string_view bytes) {
  if (m_overflown) return;
  m_bytes.erase(0, m_start);
  m_scanned -= m_start;
  m_start = 0;
  m_bytes.append(bytes);
}

std::optional<std::string> LineBuffer::next() {
  const std::size_t end = m_bytes.find('\n', m_scanned);
  if (end == std::string::npos) {
    m_scanned = m_bytes.size();
    if (m_bytes.size() - m_start > m_longest) {
      m_overflown = true;
      m_bytes.clear();
      m_start = m_scanned = 0;
    }
    return std::nullopt;
  }
  std::string line = m_bytes.substr(m_start, end - m_start);
  m_start = m_scanned = end + 1;
  return line;
}

}  // namespace p2::inline remote
