// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/words.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/utf8.h"

namespace p2 {
namespace {

/// The end of the control sequence that begins with the escape at `i`.
std::size_t endOfSequence(std::string_view text, std::size_t i) {
  if (i + 1 >= text.size()) return text.size();
  const char kind = text[i + 1];
  std::size_t end = i + 2;
  if (kind == '[') {
    while (end < text.size() && (text[end] < 0x40 || text[end] > 0x7e) && text[end] != '\n') ++end;
    return std::min(end + 1, text.size());
  }
  if (kind == ']' || kind == 'P') {
    while (end < text.size() && text[end] != '\a' && text[end] != '\n' && text[end] != '\x1b') ++end;
    if (end + 1 < text.size() && text[end] == '\x1b' && text[end + 1] == '\\') return end + 2;
    return end < text.size() && text[end] == '\a' ? end + 1 : end;
  }
  return end;
}

}  // namespace

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

std::string plainText(std::string_view text) {
  const std::string decoded = withoutMark(std::string(text));
  text = decoded;
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t escape = std::min(text.find('\x1b', i), text.size());
    plain.append(text.substr(i, escape - i));
    i = escape < text.size() ? endOfSequence(text, escape) : escape;
  }
  return plain;
}

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

}  // namespace p2
