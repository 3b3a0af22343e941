// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/detail/resharding_prices.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace p2::inline mapping {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::vector<std::size_t> ReshardingPrices::Known::numbersOf(const std::vector<TensorLayout>& layouts) {
  std::vector<std::size_t> all;
  all.reserve(layouts.size());
  for (const TensorLayout& layout : layouts) all.push_back(numbers.emplace(layout, numbers.size()).first->second);
  return all;
}

void ReshardingPrices::Known::grow() {
  if (numbers.size() <= width) return;
  const std::size_t wider = std::max(2 * width, numbers.size());
  std::vector<double> moved(wider * wider, kUnknown);
  for (std::size_t row = 0; row < width; ++row) {
    std::copy_n(seconds.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                moved.begin() + static_cast<std::ptrdiff_t>(row * wider));
  }
  seconds = std::move(moved);
  width = wider;
}

Result<std::vector<double>> ReshardingPrices::between(const std::vector<TensorLayout>& from,
                                                      const std::vector<TensorLayout>& to, const EdgeTensor& tensor) {
  Known& known = m_known[{tensor.elements, tensor.mostAllToAll}];
  const std::vector<std::size_t> rows = known.numbersOf(from);
  const std::vector<std::size_t> columns = known.numbersOf(to);
  known.grow();
  std::vector<double> all;
  all.reserve(from.size() * to.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    double* const row = known.seconds.data() + rows[i] * known.width;
    for (std::size_t j = 0; j < to.size(); ++j) {
      double& seconds = row[columns[j]];
      if (std::isnan(seconds)) {
        const Redistribution moved =
            redistribution(from[i], to[j], m_prices.shares(), tensor.elements, tensor.mostAllToAll);
        P2_TRY_ASSIGN(seconds, m_prices.seconds(moved, m_elementBytes));
      }
      all.push_back(seconds);
    }
  }
  return all;
}

}  // namespace p2::inline mapping
