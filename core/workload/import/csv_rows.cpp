// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/csv_rows.h"

#include <algorithm>

#include "text/csv.h"

namespace p2::inline workload {
std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> cellsOf(std::string_view line) {
  std::vector<std::string> cells;
  if (!CsvReader(line).next(cells)) cells.emplace_back();
  for (std::string& cell : cells) cell = std::string(trimmedCell(cell));
  return cells;
}

std::vector<std::string_view> spacedWords(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r\f\v";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBetween, end);
  }
  return words;
}

}  // namespace p2::inline workload
