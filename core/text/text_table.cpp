// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/text_table.h"

#include <algorithm>

namespace p2::inline text {

std::size_t displayWidth(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : m_columns) {
    titles.push_back(column.title);
    widths.push_back(displayWidth(column.title));
  }
  for (const auto& row : m_rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], displayWidth(row[i]));
  }
  std::string result;
  const auto addLine = [&](const std::vector<std::string>& cells) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (widths[i] == 0) continue;
      if (line.size() > indent) line += "  ";
      const std::string padding(widths[i] - displayWidth(cells[i]), ' ');
      line += m_columns[i].align == Align::Left ? cells[i] + padding : padding + cells[i];
    }
    result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  if (std::any_of(titles.begin(), titles.end(), [](const std::string& title) { return !title.empty(); })) {
    addLine(titles);
  }
  for (const auto& row : m_rows) addLine(row);
  return result;
}

}  // namespace p2::inline text
