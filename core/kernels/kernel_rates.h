// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::inline kernels {

/// A product (rows × depth)·(depth × columns), `count` of them side by side.
struct Product {
  double rows = 0;
  double depth = 0;
  double columns = 0;
  double count = 1;
  double outputBytes = 2;  ///< an element of the result
  [[nodiscard]] double flop() const { return 2 * rows * depth * columns * count; }
  friend bool operator==(const Product&, const Product&) = default;
};

/// The work of a tiled product over its work if its tiles filled all multiprocessors evenly, by the best of
/// five tiles and three ways to split the sums; at least 1.
[[nodiscard]] double waveWaste(const Product& product, double multiprocessors);

/// Rates that an accelerator's kernels reach, in FLOP/s and bytes/s: they give the seconds of one kernel on one device.
/// The model of a training step has them from constants fitted to public runs (core/training, kernelRatesOf()); other
/// models of computation take the same.
struct KernelRates {
  double peak = 0;      ///< the accelerator's FLOP/s in products: no kernel is faster
  double products = 0;  ///< large products in their number type
  double products16 = 0;
  double attention = 0;      ///< fused attention, forward
  double bandwidth = 0;      ///< the memory's bytes/s
  double groupedShare = 1;   ///< speed of grouped products of experts over single ones
  double attentionBack = 1;  ///< speed of attention's backward over its forward pass
  double elementwise = 1;    ///< passes over memory of element-wise kernels, made over counted
  double floor = 0;          ///< seconds of a kernel beyond its work
  double inputBytes = 2;     ///< an element that products read
  double multiprocessors = 0;
  double depthHalf = 0;  ///< length of a product's sums at which it takes twice the time
  double wavePower = 0;  ///< how much of waveWaste() is felt
  double align64 = 0;    ///< loss of shapes that are no multiple of 64
  double align8 = 0;     ///< loss of shapes that are no multiple of 8

  /// Seconds of a product in its number type, or in 16 bits; at least its FLOP at that type's rate.
  [[nodiscard]] double product(const Product& product, bool in16Bits = false) const;
  /// Seconds of the products of a device's experts, as one grouped kernel.
  [[nodiscard]] double grouped(const Product& product) const;
  [[nodiscard]] double fusedAttention(double flop, bool backward) const;
  /// Seconds of passes over these bytes.
  [[nodiscard]] double passes(double bytes) const { return bytes / bandwidth; }

  friend bool operator==(const KernelRates&, const KernelRates&) = default;

 private:
  [[nodiscard]] double seconds(const Product& product, double rate) const;
};

}  // namespace p2::inline kernels
