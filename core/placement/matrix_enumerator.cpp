// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include "placement/parallelism_matrix.h"

namespace p2::inline placement {

MatrixEnumerator::MatrixEnumerator(std::vector<std::int64_t> sizes, std::vector<std::int64_t> counts,
                                   std::vector<std::size_t> first)
    : m_rowLeft(std::move(sizes)),
      m_columnLeft(std::move(counts)),
      m_first(std::move(first)),
      m_matrix(m_rowLeft.size(), m_columnLeft.size()) {
  m_first.resize(m_rowLeft.size(), 0);
}

void MatrixEnumerator::take(std::size_t cell, std::int64_t factor) {
  const std::size_t row = cell / m_columnLeft.size();
  const std::size_t column = cell % m_columnLeft.size();
  m_matrix.set(row, column, factor);
  m_rowLeft[row] /= factor;
  m_columnLeft[column] /= factor;
}

void MatrixEnumerator::giveBack(std::size_t cell) {
  const std::size_t row = cell / m_columnLeft.size();
  const std::size_t column = cell % m_columnLeft.size();
  m_rowLeft[row] *= m_matrix.at(row, column);
  m_columnLeft[column] *= m_matrix.at(row, column);
}

/// What rows below this one must put right of a column.
std::int64_t MatrixEnumerator::boundRight(std::size_t row, std::size_t column) const {
  std::int64_t bound = 1;
  for (std::size_t i = row + 1; i < m_rowLeft.size(); ++i) {
    if (m_first[i] > column) bound *= m_rowLeft[i];
  }
  return bound;
}

// The columns bound to a row are always the last ones, so rows compete only for the columns to the right (Hall's
// condition for nested sets): the rows bound there must divide the product of these columns.
bool MatrixEnumerator::isPossible() const {
  std::int64_t columns = 1;
  for (std::size_t first = m_columnLeft.size() + 1; first-- > 0;) {
    if (first < m_columnLeft.size()) columns *= m_columnLeft[first];
    std::int64_t rows = 1;
    for (std::size_t i = 0; i < m_rowLeft.size(); ++i) {
      if (m_first[i] >= first) rows *= m_rowLeft[i];
    }
    if (columns % rows != 0) return false;
  }
  return true;
}

// A factor can be completed exactly if the rest of its row, and the rows below that are bound there, divide the
// remaining product of the columns to its right: per prime this is a table with given row and column sums, which exists
// if the sums agree.
std::int64_t MatrixEnumerator::smallestFrom(std::size_t cell, std::int64_t least) const {
  const std::size_t columns = m_columnLeft.size();
  const std::int64_t row = m_rowLeft[cell / columns];
  const std::int64_t column = m_columnLeft[cell % columns];
  if (cell % columns < m_first[cell / columns]) return least == 1 ? 1 : 0;
  const std::int64_t bound = boundRight(cell / columns, cell % columns);
  std::int64_t toTheRight = 1;
  for (std::size_t j = cell % columns + 1; j < columns; ++j) toTheRight *= m_columnLeft[j];
  const std::int64_t most = std::min(row, column);
  for (std::int64_t factor = least; factor <= most; ++factor) {
    if (row % factor == 0 && column % factor == 0 && toTheRight % (row / factor * bound) == 0) return factor;
  }
  return 0;
}

bool MatrixEnumerator::fillFrom(std::size_t cell) {
  const std::size_t cells = m_rowLeft.size() * m_columnLeft.size();
  for (; cell < cells; ++cell) take(cell, smallestFrom(cell, 1));
  return true;
}

bool MatrixEnumerator::next() {
  if (!m_started) {
    m_started = true;
    return isPossible() && fillFrom(0);
  }
  for (std::size_t cell = m_rowLeft.size() * m_columnLeft.size(); cell-- > 0;) {
    giveBack(cell);
    const std::int64_t factor =
        smallestFrom(cell, m_matrix.at(cell / m_columnLeft.size(), cell % m_columnLeft.size()) + 1);
    if (factor == 0) continue;
    take(cell, factor);
    return fillFrom(cell + 1);
  }
  return false;
}

namespace {

using Exponents = std::vector<int>;

/// Tables of non-negative integers with the given row sums, zero in the columns before the first of each row, column by
/// column bounded by `left`, which must end at zero.
class TableCounter {
 public:
  TableCounter(Exponents rows, std::vector<std::size_t> first)
      : m_rows(std::move(rows)), m_first(std::move(first)), m_bounds(m_first.begin(), m_first.end()) {}

  Count count(std::size_t row, Exponents left) {
    if (row == m_rows.size()) return 1;
    sortEqual(left);
    const auto key = std::pair{row, left};
    if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
    const Count total = spread(row, m_first[row], m_rows[row], left);
    m_known.emplace(key, total);
    return total;
  }

 private:
  /// Tables with columns exchanged that the same rows may use are as many.
  void sortEqual(Exponents& left) const {
    auto from = left.begin();
    for (const std::size_t bound : m_bounds) {
      const auto to = left.begin() + static_cast<std::ptrdiff_t>(std::min(bound, left.size()));
      std::sort(from, to);
      from = to;
    }
    std::sort(from, left.end());
  }

  Count spread(std::size_t row, std::size_t column, int rest, Exponents& left) {
    if (column >= left.size()) return rest == 0 ? count(row + 1, left) : Count(0);
    Count total = 0;
    const int most = std::min(rest, left[column]);
    for (int part = 0; part <= most; ++part) {
      left[column] -= part;
      total += spread(row, column + 1, rest - part, left);
      left[column] += part;
    }
    return total;
  }

  Exponents m_rows;
  std::vector<std::size_t> m_first;
  std::set<std::size_t> m_bounds;
  std::map<std::pair<std::size_t, Exponents>, Count> m_known;
};

Exponents exponentsOf(const std::vector<std::int64_t>& values, std::int64_t prime) {
  Exponents exponents;
  for (std::int64_t value : values) {
    int exponent = 0;
    for (; value % prime == 0; value /= prime) ++exponent;
    exponents.push_back(exponent);
  }
  return exponents;
}

}  // namespace

Count countMatrices(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& counts,
                    const std::vector<std::size_t>& first) {
  std::vector<std::size_t> bound = first;
  bound.resize(sizes.size(), 0);
  std::int64_t rest = 1;
  for (const std::int64_t count : counts) rest *= count;
  Count total = 1;
  for (std::int64_t prime = 2; rest > 1; ++prime) {
    if (prime > rest / prime) prime = rest;
    if (rest % prime != 0) continue;
    while (rest % prime == 0) rest /= prime;
    total = total * TableCounter(exponentsOf(sizes, prime), bound).count(0, exponentsOf(counts, prime));
  }
  return total;
}

}  // namespace p2::inline placement
