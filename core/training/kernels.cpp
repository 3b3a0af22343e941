// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace p2::inline training {
namespace {

/// Tiles of CUTLASS and cuBLAS, and their speed over that of the largest.
struct Tile {
  double rows;
  double columns;
  double speed;
};
constexpr std::array<Tile, 5> kTiles{{{256, 128, 1}, {128, 256, 1}, {128, 128, .96}, {128, 64, .85}, {64, 64, .65}}};
constexpr double kSplitSpeed = 1 / 1.08;  // partial sums are written and added up
constexpr double kLeastSplitDepth = 512;

/// Plain PyTorch calls FlashAttention 2, which was written for Ampere. On Hopper it reaches half the speed of kernels
/// that use its asynchronous instructions (Shah et al., arXiv 2407.08608: 350 of 740 TFLOP/s).
bool usesOlderAttention(const TrainingAccelerator& accelerator, const TrainingConfiguration& configuration) {
  const bool plain =
      configuration.family == FrameworkFamily::Fsdp || configuration.family == FrameworkFamily::DeepSpeed;
  const std::string& generation = accelerator.generation;
  return plain && (generation == "H100" || generation == "B200" || generation == "B300");
}

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

Kernels::Kernels(const TrainingAccelerator& accelerator, const StepConstants& constants,
                 const TrainingConfiguration& configuration)
    : m_accelerator(accelerator), m_constants(constants) {
  const double power = std::min(accelerator.powerShare, 1.0) * std::min(configuration.powerShare, 1.0);
  const double clock = std::pow(power, constants[StepConstant::PowerPower]);
  m_rate = peakOf(accelerator, configuration.precision) * std::min(constants[StepConstant::Products], 1.0) * clock;
  m_rate16 = accelerator.bf16 * std::min(constants[StepConstant::HeadProducts], 1.0) * clock;
  m_attention = accelerator.bf16 * std::min(constants[StepConstant::Attention], 1.0) * clock;
  if (usesOlderAttention(accelerator, configuration)) {
    m_attention *= std::min(constants[StepConstant::OlderAttention], 1.0);
  }
  m_bandwidth = accelerator.memoryBandwidth * std::min(constants[StepConstant::MemoryShare], 1.0);
  m_inputBytes = configuration.precision == ProductPrecision::Bf16  ? 2
                 : configuration.precision == ProductPrecision::Fp8 ? 1
                                                                    : .5;
}

double Kernels::seconds(const Product& product, double rate) const {
  double factor = 1 + m_constants[StepConstant::DepthHalf] / product.depth;
  factor *= std::pow(waveWaste(product, m_accelerator.multiprocessors), m_constants[StepConstant::WavePower]);
  double misfit = 1;
  if (!isMultiple(product.columns, 64) || !isMultiple(product.depth, 64)) misfit += m_constants[StepConstant::Align64];
  if (!isMultiple(product.columns, 8) || !isMultiple(product.depth, 8)) misfit += m_constants[StepConstant::Align8];
  const double bytes = product.count * (m_inputBytes * product.depth * (product.rows + product.columns) +
                                        product.outputBytes * product.rows * product.columns);
  return std::max(product.flop() / rate * factor * misfit, passes(bytes));
}

double Kernels::product(const Product& product, bool in16Bits) const {
  return seconds(product, in16Bits ? m_rate16 : m_rate);
}

double Kernels::grouped(const Product& product) const {
  return seconds(product, m_rate * std::min(m_constants[StepConstant::Grouped], 1.0));
}

double Kernels::fusedAttention(double flop, bool backward) const {
  return flop / (m_attention * (backward ? m_constants[StepConstant::AttentionBack] : 1));
}

}  // namespace p2::inline training
