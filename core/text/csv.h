// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace p2 {

/// A cell of a CSV line, quoted when it must be (RFC 4180).
[[nodiscard]] inline std::string csvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace p2
