// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "strategy/computation_graph.h"
#include "strategy/detail/configuration_space.h"
#include "strategy/operator_kernels.h"
#include "strategy/step_memory.h"

namespace p2::inline strategy {

/// The source of prices of collectives.
enum class StrategyCostModel {
  Flat,          ///< one bandwidth between any two devices; devices a configuration does not need are idle
  Hierarchical,  ///< by simulation on a system, on whose devices all operators share one mesh (core/mapping)
};

/// Names in the order of the enumerators.
inline constexpr std::array<std::string_view, 2> kStrategyModelNames{"flat", "hierarchical"};
[[nodiscard]] constexpr std::string_view nameOf(StrategyCostModel model) {
  return kStrategyModelNames[static_cast<std::size_t>(model)];
}

/// Options that turn a computation graph into cost tables. The defaults weigh an element like 5000 multiply-adds, as in
/// the cost tables that PaSE publishes: 10 TFLOP/s is half the peak of an A100 in single precision.
struct GraphCostOptions {
  std::int64_t devices = 8;
  ConfigurationSpace space = {};
  StrategyCostModel model = StrategyCostModel::Flat;
  double flops = 10e12;      ///< FLOP/s of one device; a multiply-add is two
  double bandwidth = 4e9;    ///< bytes/s of one device, for Flat
  Bytes bytesPerElement{4};  ///< of one element of any tensor
  /// Rates of the device's kernels; they take the place of `flops` and `memoryBandwidth`. Empty where the accelerator
  /// is not known: operators then run at full speed.
  std::optional<KernelRates> kernels = {};
  /// Bytes/s of one device's memory; 0 where it is unknown, and then operators take what their multiply-adds take.
  double memoryBandwidth = 0;
  MemoryOptions memory = {};
  /// Number of passes through the graph before parameters are updated and their gradients summed.
  std::int64_t microbatches = 1;
  /// Elements of a bucket of gradients (core/mapping/gradient_buckets.h), if the graph is a part of a larger one; 0 for
  /// the graph's own.
  double bucketElements = 0;
  /// Bytes that a strategy may take of each device, 0 for any number; empty until stated.
  std::optional<Bytes> deviceMemory = {};
  friend bool operator==(const GraphCostOptions&, const GraphCostOptions&) = default;
};

/// The largest numbers that GraphCostOptions takes.
inline constexpr std::int64_t kMostMicrobatches = 1'000'000;
inline constexpr std::int64_t kMostStrategyDevices = std::int64_t{1} << 24;

/// Bytes of a number: "fp32" 4, "bf16" and "fp16" 2, "fp8" 1.
[[nodiscard]] Result<Bytes> elementBytesFrom(std::string_view name);

/// Whether every option is within its range.
[[nodiscard]] Result<void> checkGraphCostOptions(const GraphCostOptions& options);

/// The configuration space in use: on a system only what divides the devices can be placed.
[[nodiscard]] ConfigurationSpace spaceOf(const GraphCostOptions& options);

/// Why a batch, the first dimension of an operator that no other feeds, is not split further: the least size of a part.
/// None where no batch could be split among more of the devices without it. In one sentence, with the remedy.
[[nodiscard]] std::optional<std::string> cutoffNote(const ComputationGraph& graph, const GraphCostOptions& options);

}  // namespace p2::inline strategy
