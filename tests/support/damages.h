// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <random>
#include <string>

namespace p2::test {

/// How files of one kind are damaged.
struct Damages {
  std::size_t mostErased = 40;    ///< bytes at once
  std::size_t mostRepeated = 80;  ///< likewise
  char separator = '"';           ///< up to which a value goes, where no line does
  bool negates = false;           ///< digits become signs as well as large numbers
};

/// Damages a text in one to three of the ways that editors, terminals, disks and transfers do.
inline std::string damaged(std::string text, std::mt19937& random, const Damages& damages) {
  const auto below = [&random](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (std::size_t round = 1 + below(3); round > 0 && !text.empty(); --round) {
    const std::size_t at = below(text.size());
    switch (below(7)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, 1 + below(damages.mostErased));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), below(damages.mostRepeated)));
        break;
      case 3:
        text.resize(at);
        break;
      case 4: {  // a value goes, or a line
        const std::size_t end = text.find(below(2) == 0 ? damages.separator : '\n', at);
        if (end != std::string::npos) text.erase(at, end - at);
        break;
      }
      case 5:  // numbers grow
        for (std::size_t i = at; i < std::min(at + 200, text.size()); ++i) {
          if (text[i] < '0' || text[i] > '9') continue;
          text.insert(i++, damages.negates && below(2) == 1 ? "-" : "99999999");
        }
        break;
      default:
        text.insert(at, std::string(1 + below(3), static_cast<char>(below(32))));
    }
  }
  return text;
}

/// Whether a sentence holds what no terminal should get; line breaks are allowed where it may have several lines.
inline bool hasControlCodes(const std::string& text, bool mayBreak) {
  return std::any_of(text.begin(), text.end(),
                     [mayBreak](unsigned char c) { return (c < 0x20 && !(mayBreak && c == '\n')) || c == 0x7f; });
}

}  // namespace p2::test
