// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "base/result.h"
#include "placement/axis.h"
#include "system/system.h"

namespace p2::inline placement {

/// The parallelism matrix of a placement (paper §3.1): rows = axes, columns = levels, positive factors; row i
/// multiplies to axis i, column j to level j. Ordered lexicographically, row by row.
class ParallelismMatrix {
 public:
  ParallelismMatrix() = default;
  ParallelismMatrix(std::size_t rows, std::size_t columns) : m_columns(columns), m_cells(rows * columns, 1) {}

  [[nodiscard]] std::size_t rows() const { return m_columns == 0 ? 0 : m_cells.size() / m_columns; }
  [[nodiscard]] std::size_t columns() const { return m_columns; }
  [[nodiscard]] bool empty() const { return m_cells.empty(); }
  [[nodiscard]] std::int64_t at(std::size_t row, std::size_t column) const { return m_cells[row * m_columns + column]; }
  void set(std::size_t row, std::size_t column, std::int64_t factor) { m_cells[row * m_columns + column] = factor; }

  /// "[[1,8],[2,1],[2,2]]".
  [[nodiscard]] std::string text() const;
  friend auto operator<=>(const ParallelismMatrix&, const ParallelismMatrix&) = default;

 private:
  std::size_t m_columns = 0;
  std::vector<std::int64_t> m_cells;
};

/// Reads "[[1,8],[2,1]]"; blanks are allowed. Rectangular, positive factors.
[[nodiscard]] Result<ParallelismMatrix> parseMatrix(std::string_view text);
/// Whether the matrix places these axes on this system; the error names the row or column whose product is off, or the
/// axis that leaves the level it is to stay inside.
[[nodiscard]] Result<void> checkMatrix(const System& system, const std::vector<Axis>& axes,
                                       const ParallelismMatrix& matrix);

/// The placement frameworks use unasked: devices reshaped to the axis sizes, the last axis varying fastest. Empty when
/// the sizes do not divide along the levels, so that no matrix describes it.
[[nodiscard]] ParallelismMatrix rowMajorMatrix(const System& system, const std::vector<Axis>& axes);

/// Walks every parallelism matrix once, in lexicographic row-major order, storing one at a time. Every prefix that is
/// visited can be completed, so the next matrix costs O(rows · columns · divisors).
class MatrixEnumerator {
 public:
  /// ∏ sizes must equal ∏ counts; both ≥ 1. Row i is split in no column before `first[i]`; anywhere where that is left
  /// out.
  MatrixEnumerator(std::vector<std::int64_t> sizes, std::vector<std::int64_t> counts,
                   std::vector<std::size_t> first = {});
  /// Moves to the first, then to the next matrix; false when there is none left.
  bool next();
  [[nodiscard]] const ParallelismMatrix& matrix() const { return m_matrix; }

 private:
  [[nodiscard]] std::int64_t smallestFrom(std::size_t cell, std::int64_t least) const;
  bool fillFrom(std::size_t cell);
  [[nodiscard]] bool isPossible() const;
  [[nodiscard]] std::int64_t boundRight(std::size_t row, std::size_t column) const;
  void take(std::size_t cell, std::int64_t factor);
  void giveBack(std::size_t cell);

  std::vector<std::int64_t> m_rowLeft;     // remaining factor of each axis
  std::vector<std::int64_t> m_columnLeft;  // remaining factor of each level
  std::vector<std::size_t> m_first;        // the first column that each row may be split in
  ParallelismMatrix m_matrix;
  bool m_started = false;
};

/// Number of matrices, without walking them: per prime, the number of tables of exponents with the given row and column
/// sums, multiplied over the primes. Saturates. `first` as of the enumerator.
[[nodiscard]] Count countMatrices(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& counts,
                                  const std::vector<std::size_t>& first = {});

}  // namespace p2::inline placement
