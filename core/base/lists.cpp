// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/lists.h"

#include <algorithm>
#include <iterator>

namespace p2::inline base {
namespace {

/// Between blanks; a sign is a word of its own.
std::vector<std::string> split(std::string_view text, char sign) {
  std::vector<std::string> words;
  bool inWord = false;
  for (const char c : text) {
    const bool blank = isBlank(c);
    if (!blank && (!inWord || c == sign)) words.emplace_back();
    if (!blank) words.back() += c;
    inWord = !blank && c != sign;
  }
  return words;
}

}  // namespace

std::vector<std::string> commaParts(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const std::size_t first = part.find_first_not_of(kBlanks);
    const std::size_t last = part.find_last_not_of(kBlanks);
    parts.emplace_back(first == std::string_view::npos ? "" : part.substr(first, last - first + 1));
    if (comma == text.size()) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string> wordsOf(std::string_view text) { return split(text, '='); }

std::vector<std::string> listedNames(std::string_view text) {
  std::vector<std::string> names;
  for (std::string& part : commaParts(text)) {
    std::vector<std::string> words = split(part, ',');
    if (words.empty()) words.emplace_back();
    std::move(words.begin(), words.end(), std::back_inserter(names));
  }
  return names;
}

}  // namespace p2::inline base
