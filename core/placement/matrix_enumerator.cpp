// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "placement/parallelism_matrix.h"

namespace p2 {

MatrixEnumerator::MatrixEnumerator(std::vector<std::int64_t> sizes, std::vector<std::int64_t> counts)
    : m_rowLeft(std::move(sizes)), m_columnLeft(std::move(counts)), m_matrix(m_rowLeft.size(), m_columnLeft.size()) {}

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

// A factor can be completed exactly when the rest of its row divides what is left of the columns to its right: prime
// by prime this is a table with given row and column sums, which always exists when the sums agree.
std::int64_t MatrixEnumerator::smallestFrom(std::size_t cell, std::int64_t least) const {
  const std::size_t columns = m_columnLeft.size();
  const std::int64_t row = m_rowLeft[cell / columns];
  const std::int64_t column = m_columnLeft[cell % columns];
  std::int64_t toTheRight = 1;
  for (std::size_t j = cell % columns + 1; j < columns; ++j) toTheRight *= m_columnLeft[j];
  const std::int64_t most = std::min(row, column);
  for (std::int64_t factor = least; factor <= most; ++factor) {
    if (row % factor == 0 && column % factor == 0 && toTheRight % (row / factor) == 0) return factor;
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
    return fillFrom(0);
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

/// Tables of non-negative integers with the given row sums, column by column bounded by `left`, which must end at zero.
class TableCounter {
 public:
  explicit TableCounter(Exponents rows) : m_rows(std::move(rows)) {}

  Count count(std::size_t row, Exponents left) {
    if (row == m_rows.size()) return 1;
    // Tables with their columns exchanged are as many.
    std::sort(left.begin(), left.end());
    const auto key = std::pair{row, left};
    if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
    const Count total = spread(row, 0, m_rows[row], left);
    m_known.emplace(key, total);
    return total;
  }

 private:
  Count spread(std::size_t row, std::size_t column, int rest, Exponents& left) {
    if (column == left.size()) return rest == 0 ? count(row + 1, left) : Count(0);
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

Count countMatrices(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& counts) {
  std::int64_t rest = 1;
  for (const std::int64_t count : counts) rest *= count;
  Count total = 1;
  for (std::int64_t prime = 2; rest > 1; ++prime) {
    if (prime > rest / prime) prime = rest;
    if (rest % prime != 0) continue;
    while (rest % prime == 0) rest /= prime;
    total = total * TableCounter(exponentsOf(sizes, prime)).count(0, exponentsOf(counts, prime));
  }
  return total;
}

}  // namespace p2
