// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "system/system.h"
#include "training/step_estimate.h"

namespace p2::inline whatif {

/// Price and power of a running machine; both may be unknown.
struct RunningCost {
  std::optional<double> pricePerDeviceHour;  ///< in any currency
  std::optional<double> wattsPerDevice;      ///< drawn while training; a share of hosts and cooling if wanted
  friend bool operator==(const RunningCost&, const RunningCost&) = default;
};

/// Price and power that a system states of its accelerator; without a power the limit of its board.
[[nodiscard]] RunningCost runningCostOf(const Accelerator& accelerator);

/// Board power limit of an accelerator by its type, in watts, from the data sheets of NVIDIA and AMD; other types have
/// none.
[[nodiscard]] std::optional<double> boardPowerOf(std::string_view type);

/// Price of a million tokens.
[[nodiscard]] std::optional<double> pricePerMillionTokens(const RunningCost& cost, const StepEstimate& step,
                                                          std::int64_t devices);
/// Joules of a token.
[[nodiscard]] std::optional<double> joulesPerToken(const RunningCost& cost, const StepEstimate& step,
                                                   std::int64_t devices);
/// Price of training on `tokens` tokens.
[[nodiscard]] std::optional<double> priceOf(const RunningCost& cost, const StepEstimate& step, std::int64_t devices,
                                            double tokens);

}  // namespace p2::inline whatif
