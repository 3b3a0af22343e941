// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/mapping.
#pragma once

#include <map>
#include <vector>

#include "mapping/mapped_problem.h"

namespace p2::inline mapping {

/// Seconds of redistributions on one mesh. Edges of equal tensors share them: graphs repeat a few shapes.
class ReshardingPrices {
 public:
  /// `prices` must outlive this.
  ReshardingPrices(MeshPrices& prices, Bytes bytesPerElement) : m_prices(prices), m_elementBytes(bytesPerElement) {}

  /// Prices from every layout of the first list to every layout of the second, row by row. Errors: of the pricer.
  [[nodiscard]] Result<std::vector<double>> between(const std::vector<TensorLayout>& from,
                                                    const std::vector<TensorLayout>& to, const EdgeTensor& tensor);

 private:
  /// Prices of one tensor; NaN for a pair that is not priced yet.
  struct Known {
    std::map<TensorLayout, std::size_t> numbers;
    std::size_t width = 0;
    std::vector<double> seconds;

    [[nodiscard]] std::vector<std::size_t> numbersOf(const std::vector<TensorLayout>& layouts);
    /// Makes room for every pair of the layouts that have numbers.
    void grow();
  };

  MeshPrices& m_prices;
  Bytes m_elementBytes;
  std::map<std::pair<double, std::int64_t>, Known> m_known;
};

}  // namespace p2::inline mapping
