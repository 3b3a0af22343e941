// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace p2::inline text {

/// Columns of a text as a terminal shows it: its characters, not its bytes.
[[nodiscard]] std::size_t displayWidth(std::string_view utf8);

/// Text in aligned columns, two blanks apart, without trailing blanks.
class TextTable {
 public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Left;
  };

  explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}
  /// One cell per column; missing ones are empty.
  void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
  /// Every line indented by that many blanks. Empty columns are left out, and the titles when all are empty.
  [[nodiscard]] std::string text(std::size_t indent = 0) const;

 private:
  std::vector<Column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace p2::inline text
