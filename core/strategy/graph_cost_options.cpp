// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/graph_cost_options.h"

#include "base/counted.h"
#include "base/figures.h"
#include "base/numbers.h"

namespace p2::inline strategy {
namespace {

Result<void> checkFigure(double value, const FigureRange& range, const char* what, const char* unit) {
  if (range.holds(value)) return {};
  return Error{exactNumber(value) + " " + unit + " is no " + what + "; use " + std::string(range.text)};
}

}  // namespace

Result<Bytes> elementBytesFrom(std::string_view name) {
  if (name == "fp32") return Bytes(4);
  if (name == "bf16" || name == "fp16") return Bytes(2);
  if (name == "fp8") return Bytes(1);
  return Error{"\"" + std::string(name) + "\" is not a type of numbers; use fp32, bf16, fp16 or fp8"};
}

std::optional<std::string> cutoffNote(const ComputationGraph& graph, const GraphCostOptions& options) {
  if (options.space.kind != SpaceKind::Divisors || options.space.cutoff == 1) return std::nullopt;
  const auto mostParts = [&](std::int64_t size, std::int64_t cutoff) {
    std::int64_t most = 1;
    for (const std::int64_t parts : divisorsOf(size)) {
      if (parts <= options.devices && size / parts >= cutoff) most = parts;
    }
    return most;
  };
  // Tensors made from a batch need not begin with it.
  std::vector<bool> isFed(graph.operators.size(), false);
  for (const auto& edge : graph.edges) isFed[edge.to] = true;
  std::int64_t bound = 0;  // the smallest batch that is
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    const Operator& op = graph.operators[v];
    if (isFed[v] || op.dimensions.empty() || !op.dimensions.front().splittable) continue;
    const std::int64_t size = op.dimensions.front().size;
    if (mostParts(size, options.space.cutoff) < mostParts(size, 1) && (bound == 0 || size < bound)) bound = size;
  }
  if (bound == 0) return std::nullopt;
  return "the minimum shard size (" + std::to_string(options.space.cutoff) + ") limits a batch of " +
         std::to_string(bound) + " to " + countedText(mostParts(bound, options.space.cutoff), "way") +
         "; set it to 1 to allow " + std::to_string(mostParts(bound, 1));
}

Result<void> checkGraphCostOptions(const GraphCostOptions& options) {
  if (options.devices < 1 || options.devices > kMostStrategyDevices) {
    return Error{countedText(options.devices, "device") + "; use 1 to " + std::to_string(kMostStrategyDevices)};
  }
  if (options.space.cutoff < 1) {
    return Error{"a cutoff of " + std::to_string(options.space.cutoff) + "; use 1 or more"};
  }
  P2_TRY(checkFigure(options.flops, kSpeedRange, "speed", "FLOP/s"));
  P2_TRY(checkFigure(options.bandwidth, kBandwidthRange, "bandwidth", "bytes/s"));
  if (options.memoryBandwidth != 0) {
    P2_TRY(checkFigure(options.memoryBandwidth, kBandwidthRange, "bandwidth of a memory", "bytes/s"));
  }
  if (options.deviceMemory &&
      !(options.deviceMemory->value() >= 0 && options.deviceMemory->value() <= kAmountRange.most)) {
    return Error{exactNumber(options.deviceMemory->value()) + " bytes is not a size of memory; use 0 or more"};
  }
  if (options.microbatches < 1 || options.microbatches > kMostMicrobatches) {
    return Error{countedText(options.microbatches, "microbatch", "microbatches") + " in a step; use 1 to " +
                 std::to_string(kMostMicrobatches)};
  }
  if (options.memory.zero < 0 || options.memory.zero > kMostZero) {
    return Error{"there is no stage " + std::to_string(options.memory.zero) + " of ZeRO; use 0 to " +
                 std::to_string(kMostZero)};
  }
  return checkFigure(options.bytesPerElement.value(), kElementRange, "size of an element", "bytes");
}

ConfigurationSpace spaceOf(const GraphCostOptions& options) {
  ConfigurationSpace space = options.space;
  if (options.model != StrategyCostModel::Flat) space.dividing = true;
  return space;
}

}  // namespace p2::inline strategy
