// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace p2::inline remote {

/// Cuts a stream of bytes into lines and never holds more than a line of the longest length.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t longest) : m_longest(longest) {}

  void append(std::string_view bytes);
  /// The next whole line, without its newline, or nothing so far.
  [[nodiscard]] std::optional<std::string> next();
  /// Whether a line without end has outgrown the longest; nothing more can be read then.
  [[nodiscard]] bool overflown() const { return m_overflown; }
  /// The text after the last newline.
  [[nodiscard]] std::string rest() const { return m_bytes.substr(m_start); }

 private:
  std::size_t m_longest;
  std::string m_bytes;
  std::size_t m_start = 0;    // start of the next line
  std::size_t m_scanned = 0;  // no newline between m_start and here
  bool m_overflown = false;
};

}  // namespace p2::inline remote
