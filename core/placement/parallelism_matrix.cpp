// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/parallelism_matrix.h"

#include <algorithm>
#include <charconv>

#include "base/counted.h"
#include "placement/containment.h"

namespace p2::inline placement {
namespace {

Error notAMatrix(std::string_view text) {
  return Error{"\"" + std::string(text) +
               "\" is not a parallelism matrix; write one row of positive factors per axis, "
               "as in [[1,8],[2,1],[2,2]]"};
}

}  // namespace

std::string ParallelismMatrix::text() const {
  std::string text = "[";
  for (std::size_t row = 0; row < rows(); ++row) {
    text += row == 0 ? "[" : ",[";
    for (std::size_t column = 0; column < m_columns; ++column) {
      text += (column == 0 ? "" : ",") + std::to_string(at(row, column));
    }
    text += "]";
  }
  return text + "]";
}

Result<ParallelismMatrix> parseMatrix(std::string_view text) {
  std::vector<std::vector<std::int64_t>> rows;
  int depth = 0;
  bool closed = false;
  bool wantsValue = true;  // a number or an opening bracket may come next
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == '\n' || c == '\t') continue;
    if (closed) return notAMatrix(text);
    if (c == '[' && wantsValue && depth < 2) {
      if (++depth == 2) rows.emplace_back();
    } else if (c == ']' && depth > 0 && !wantsValue) {
      closed = --depth == 0;
    } else if (c == ',' && depth > 0 && !wantsValue) {
      wantsValue = true;
    } else if (depth == 2 && wantsValue) {
      std::int64_t factor = 0;
      const auto [stop, status] = std::from_chars(text.data() + i, text.data() + text.size(), factor);
      if (status != std::errc{} || factor < 1) return notAMatrix(text);
      rows.back().push_back(factor);
      i = static_cast<std::size_t>(stop - text.data()) - 1;
      wantsValue = false;
    } else {
      return notAMatrix(text);
    }
  }
  if (!closed || rows.empty()) return notAMatrix(text);
  ParallelismMatrix matrix(rows.size(), rows[0].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].size() != rows[0].size()) return notAMatrix(text);
    for (std::size_t c = 0; c < rows[r].size(); ++c) matrix.set(r, c, rows[r][c]);
  }
  return matrix;
}

Result<void> checkMatrix(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  if (matrix.rows() != axes.size() || matrix.columns() != system.levels.size()) {
    return Error{"the matrix " + matrix.text() + " has " + countedText(matrix.rows(), "row") + " and " +
                 countedText(matrix.columns(), "column") + "; it needs " + countedText(axes.size(), "row") +
                 ", one per axis, and " + countedText(system.levels.size(), "column") + ", one per level"};
  }
  const auto productIs = [&](std::int64_t wanted, std::size_t length, auto cell) {
    std::optional<std::int64_t> product = 1;
    for (std::size_t i = 0; i < length && product; ++i) product = checkedProduct(*product, cell(i));
    return product && *product == wanted;
  };
  for (std::size_t row = 0; row < axes.size(); ++row) {
    if (productIs(axes[row].size, matrix.columns(), [&](std::size_t j) { return matrix.at(row, j); })) continue;
    return Error{"row " + std::to_string(row) + " of the matrix " + matrix.text() + " does not multiply to " +
                 std::to_string(axes[row].size) + ", the size of axis " + axes[row].name};
  }
  for (std::size_t column = 0; column < system.levels.size(); ++column) {
    const Level& level = system.levels[column];
    if (productIs(level.count, matrix.rows(), [&](std::size_t i) { return matrix.at(i, column); })) continue;
    return Error{"column " + std::to_string(column) + " of the matrix " + matrix.text() + " does not multiply to " +
                 std::to_string(level.count) + ", the count of level " + level.name};
  }
  const std::vector<std::size_t> first = firstLevels(system, axes);
  for (std::size_t row = 0; row < axes.size(); ++row) {
    for (std::size_t column = 0; column < first[row]; ++column) {
      if (matrix.at(row, column) == 1) continue;
      return Error{"the matrix " + matrix.text() + " splits axis " + axes[row].name + " across " +
                   pluralOf(system.levels[column].name) + ", and it is to stay inside a " + axes[row].inside};
    }
  }
  return {};
}

ParallelismMatrix rowMajorMatrix(const System& system, const std::vector<Axis>& axes) {
  ParallelismMatrix matrix(axes.size(), system.levels.size());
  std::vector<std::int64_t> left = system.counts();
  std::size_t level = left.size();
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    for (std::int64_t rest = axes[axis].size; rest > 1;) {
      while (level > 0 && left[level - 1] == 1) --level;
      if (level == 0) return {};
      const std::int64_t factor = std::min(rest, left[level - 1]);
      if (rest % factor != 0 || left[level - 1] % factor != 0) return {};
      matrix.set(axis, level - 1, factor);
      left[level - 1] /= factor;
      rest /= factor;
    }
  }
  return matrix;
}

}  // namespace p2::inline placement
