// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"

#include <array>
#include <cstdint>
#include <utility>

namespace p2::inline base {
namespace {

/// First bytes from `first` to `last` are followed by `more` bytes; the second byte is from `least` to `most`.
struct Sequence {
  unsigned char first;
  unsigned char last;
  std::size_t more;
  unsigned char least;
  unsigned char most;
};
constexpr std::array<Sequence, 9> kSequences{{{0x00, 0x7F, 0, 0, 0},
                                              {0xC2, 0xDF, 1, 0x80, 0xBF},
                                              {0xE0, 0xE0, 2, 0xA0, 0xBF},
                                              {0xE1, 0xEC, 2, 0x80, 0xBF},
                                              {0xED, 0xED, 2, 0x80, 0x9F},
                                              {0xEE, 0xEF, 2, 0x80, 0xBF},
                                              {0xF0, 0xF0, 3, 0x90, 0xBF},
                                              {0xF1, 0xF3, 3, 0x80, 0xBF},
                                              {0xF4, 0xF4, 3, 0x80, 0x8F}}};

constexpr std::string_view kMark = "\xEF\xBB\xBF";

void append(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::uint32_t kHeads[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(kHeads[more] | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
}

std::string fromUtf16(std::string_view bytes, bool bigEndian) {
  std::string text;
  std::uint32_t high = 0;
  const auto dropHigh = [&] {
    if (std::exchange(high, 0) != 0) text += '?';
  };
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    const std::uint32_t unit = bigEndian ? first << 8 | second : second << 8 | first;
    if (unit >= 0xDC00 && unit < 0xE000) {
      append(text, high == 0 ? '?' : 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
      high = 0;
      continue;
    }
    dropHigh();
    if (unit >= 0xD800 && unit < 0xDC00) {
      high = unit;
    } else {
      append(text, unit);
    }
  }
  dropHigh();
  return text;
}

}  // namespace

std::string withoutMark(std::string text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return fromUtf16(text, text[0] == '\xFE');
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  return text;
}

std::size_t utf8Character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (const Sequence& sequence : kSequences) {
    if (byte(0) < sequence.first || byte(0) > sequence.last) continue;
    if (text.size() <= sequence.more) return 0;
    for (std::size_t i = 1; i <= sequence.more; ++i) {
      const unsigned char least = i == 1 ? sequence.least : 0x80;
      const unsigned char most = i == 1 ? sequence.most : 0xBF;
      if (byte(i) < least || byte(i) > most) return 0;
    }
    return sequence.more + 1;
  }
  return 0;
}

std::size_t utf8Prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = utf8Character(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace p2::inline base
