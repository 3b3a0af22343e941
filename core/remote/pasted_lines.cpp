// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pasted_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace p2 {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

/// "[1,0]<stdout>:" of mpirun, "12: " of srun.
std::string_view withoutMark(std::string_view line) {
  constexpr std::size_t kLongestMark = 24;
  const std::size_t colon = line.find(':');  // far beyond any mark when there is none
  if (colon > kLongestMark) return line;
  const std::string_view mark = line.substr(0, colon);
  const bool number = !mark.empty() && mark.find_first_not_of("0123456789") == std::string_view::npos;
  const bool tagged = mark.starts_with('[') && (mark.ends_with("<stdout>") || mark.ends_with("<stderr>"));
  return number || tagged ? trimmed(line.substr(colon + 1)) : line;
}

}  // namespace

std::vector<std::string_view> pastedLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    const std::string_view line = withoutMark(trimmed(text.substr(from, to - from)));
    if (!line.empty()) lines.push_back(line);
    from = to + 1;
  }
  return lines;
}

std::vector<std::string_view> wordsOfLine(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t from = line.find_first_not_of(kBlanks); from != std::string_view::npos;
       from = line.find_first_not_of(kBlanks, from)) {
    const std::size_t to = std::min(line.find_first_of(kBlanks, from), line.size());
    words.push_back(line.substr(from, to - from));
    from = to;
  }
  return words;
}

bool readNumber(std::string_view word, double& value) {
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  return status == std::errc{} && end == word.data() + word.size() && std::isfinite(value);
}

}  // namespace p2
