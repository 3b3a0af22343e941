// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/terminal_text.h"

#include <algorithm>

#include "base/utf8.h"

namespace p2::inline base {
namespace {

constexpr std::size_t kLongestCharacter = 4;

bool isPlain(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

void appendDigits(std::string& shown, std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    shown += "\\x";
    shown += kHex[code >> 4];
    shown += kHex[code & 15];
  }
}

}  // namespace

bool isTerminalCommand(std::string_view character) {
  if (character == "\x7f") return true;
  const bool control = character.size() == 2 && character[0] == '\xC2' && character[1] < '\xA0';
  const bool embeds = character.starts_with("\xE2\x80") && character[2] >= '\xAA' && character[2] <= '\xAE';
  const bool isolates = character.starts_with("\xE2\x81") && character[2] >= '\xA6' && character[2] <= '\xA9';
  return control || embeds || isolates;
}

std::string terminalText(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isPlain) - text.begin());
    shown.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t length = utf8Character(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length < 2 || isTerminalCommand(character)) {
      appendDigits(shown, character);
    } else {
      shown.append(character);
    }
    text.remove_prefix(character.size());
  }
  return shown;
}

std::string inColumns(std::string_view text, std::size_t columns) {
  std::size_t last = 0;  // where the last of the columns begins
  std::size_t at = 0;
  for (std::size_t column = 0; column < columns && at < text.size(); ++column) {
    last = at;
    at += std::max<std::size_t>(utf8Character(text.substr(at)), 1);
  }
  return at < text.size() ? std::string(text.substr(0, last)) + "…" : std::string(text);
}

std::size_t wholeCharacters(std::string_view text) {
  const std::size_t most = std::min(text.size(), kLongestCharacter - 1);
  for (std::size_t back = 1; back <= most; ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) break;
    if (byte < 0xC0) continue;
    const std::size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace p2::inline base
