// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/ranking_quality.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/median.h"

namespace p2::inline cost {
namespace {

using Side = double Comparison::*;

/// The k-th smallest value of one side, k from 1.
double kthBest(const std::vector<Comparison>& programs, std::size_t k, Side side) {
  std::vector<double> values;
  for (const Comparison& program : programs) values.push_back(program.*side);
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(k - 1), values.end());
  return values[k - 1];
}

std::vector<double> ranks(const std::vector<Comparison>& programs, Side side) {
  std::vector<std::size_t> order(programs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return programs[a].*side < programs[b].*side; });
  std::vector<double> result(programs.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && programs[order[to]].*side == programs[order[from]].*side) ++to;
    for (std::size_t i = from; i < to; ++i) result[order[i]] = static_cast<double>(from + to - 1) / 2;
    from = to;
  }
  return result;
}

}  // namespace

double topKF1(const std::vector<Comparison>& programs, std::size_t k, double tolerance) {
  k = std::min(k, programs.size());
  const double predicted = kthBest(programs, k, &Comparison::predicted) * (1 + tolerance);
  const double measured = kthBest(programs, k, &Comparison::measured) * (1 + tolerance);
  const auto hits = std::count_if(programs.begin(), programs.end(), [&](const Comparison& program) {
    return program.predicted <= predicted && program.measured <= measured;
  });
  return std::min(1.0, static_cast<double>(hits) / static_cast<double>(k));
}

double spearman(const std::vector<Comparison>& programs) {
  const std::vector<double> a = ranks(programs, &Comparison::predicted);
  const std::vector<double> b = ranks(programs, &Comparison::measured);
  const double mean = static_cast<double>(programs.size() - 1) / 2;
  double both = 0;
  double ofA = 0;
  double ofB = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean) * (b[i] - mean);
    ofA += (a[i] - mean) * (a[i] - mean);
    ofB += (b[i] - mean) * (b[i] - mean);
  }
  return ofA > 0 && ofB > 0 ? both / std::sqrt(ofA * ofB) : 1;
}

double regret(const std::vector<Comparison>& programs, double tolerance) {
  const double predicted = kthBest(programs, 1, &Comparison::predicted) * (1 + tolerance);
  double chosen = 0;
  for (const Comparison& program : programs) {
    if (program.predicted <= predicted) chosen = std::max(chosen, program.measured);
  }
  return chosen / kthBest(programs, 1, &Comparison::measured);
}

double medianError(const std::vector<Comparison>& programs) {
  std::vector<double> errors;
  for (const Comparison& program : programs) {
    errors.push_back(std::abs(program.predicted - program.measured) / program.measured);
  }
  return medianOf(std::move(errors));
}

}  // namespace p2::inline cost
