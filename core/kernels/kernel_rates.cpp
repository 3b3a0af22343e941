// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernel_rates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace p2::inline kernels {
namespace {

/// Tiles of CUTLASS and cuBLAS, and their speed over the largest one's.
struct Tile {
  double rows;
  double columns;
  double speed;
};
constexpr std::array<Tile, 5> kTiles{{{256, 128, 1}, {128, 256, 1}, {128, 128, .96}, {128, 64, .85}, {64, 64, .65}}};
constexpr double kSplitSpeed = 1 / 1.08;  // partial sums are written and added up
constexpr double kLeastSplitDepth = 512;

bool isMultiple(double value, double of) { return std::fmod(value, of) == 0; }

}  // namespace

double waveWaste(const Product& product, double multiprocessors) {
  if (multiprocessors <= 0) return 1;
  double least = std::numeric_limits<double>::infinity();
  const double ideal = product.rows * product.columns * product.count;
  for (const Tile& tile : kTiles) {
    const double tiles =
        std::ceil(product.rows / tile.rows) * std::ceil(product.columns / tile.columns) * product.count;
    for (const double split : {1.0, 2.0, 4.0}) {
      if (split > 1 && product.depth / split < kLeastSplitDepth) continue;
      const double waves = std::ceil(tiles * split / multiprocessors);
      const double speed = tile.speed * (split > 1 ? kSplitSpeed : 1);
      least = std::min(least, waves * multiprocessors * tile.rows * tile.columns / (split * speed) / ideal);
    }
  }
  return std::max(least, 1.0);
}

double KernelRates::seconds(const Product& product, double rate) const {
  double factor = 1 + depthHalf / product.depth;
  factor *= std::pow(waveWaste(product, multiprocessors), wavePower);
  double misfit = 1;
  if (!isMultiple(product.columns, 64) || !isMultiple(product.depth, 64)) misfit += align64;
  if (!isMultiple(product.columns, 8) || !isMultiple(product.depth, 8)) misfit += align8;
  const double bytes = product.count * (inputBytes * product.depth * (product.rows + product.columns) +
                                        product.outputBytes * product.rows * product.columns);
  return std::max(product.flop() / rate * factor * misfit, passes(bytes));
}

double KernelRates::product(const Product& product, bool in16Bits) const {
  return seconds(product, in16Bits ? products16 : products);
}

double KernelRates::grouped(const Product& product) const { return seconds(product, products * groupedShare); }

double KernelRates::fusedAttention(double flop, bool backward) const {
  return flop / (attention * (backward ? attentionBack : 1));
}

}  // namespace p2::inline kernels
