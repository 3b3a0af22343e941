// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/words.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/pasted_text.h"
#include "base/utf8.h"

namespace p2::inline importers {

std::vector<WordRow> wordRowsOf(std::string_view text) {
  std::vector<WordRow> rows;
  std::size_t line = 1;
  bool fresh = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      fresh = true;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n", i), text.size());
      if (fresh) rows.push_back({{}, line});
      fresh = false;
      rows.back().words.push_back(text.substr(i, end - i));
      i = end - 1;
    }
  }
  return rows;
}

bool isGpuName(std::string_view word) { return word.starts_with("GPU") && parseInteger(word.substr(3)).has_value(); }

std::string plainText(std::string_view text) { return withoutTerminalSequences(withoutMark(std::string(text))); }

std::string printable(std::string text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned c = byte(i);
    std::size_t length = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? 1 : 0;
    if (c == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0) length = 2;
    const bool turns = (byte(i + 1) == 0x80 && byte(i + 2) >= 0xAA && byte(i + 2) <= 0xAE) ||
                       (byte(i + 1) == 0x81 && byte(i + 2) >= 0xA6 && byte(i + 2) <= 0xA9);
    if (c == 0xE2 && turns) length = 3;
    if (length > 0) text.replace(i, length, "?");
  }
  return text;
}

}  // namespace p2::inline importers
