// SPDX-License-Identifier: GPL-3.0-or-later
#include "whatif/detail/running_cost.h"

#include <array>
#include <utility>

namespace p2::inline whatif {
namespace {

// Of SXM and OAM boards, the more special word first.
constexpr std::array<std::pair<std::string_view, double>, 15> kBoardPower{{{"V100", 300},
                                                                           {"A100-PCIE", 250},
                                                                           {"A100", 400},
                                                                           {"H100-PCIE", 350},
                                                                           {"H100", 700},
                                                                           {"H200", 700},
                                                                           {"H800", 700},
                                                                           {"GB200", 1200},
                                                                           {"GB300", 1400},
                                                                           {"B200", 1000},
                                                                           {"B300", 1100},
                                                                           {"MI250X", 560},
                                                                           {"MI300X", 750},
                                                                           {"MI325X", 1000},
                                                                           {"MI355X", 1400}}};

}  // namespace

RunningCost runningCostOf(const Accelerator& accelerator) {
  RunningCost cost{{}, boardPowerOf(accelerator.type)};
  if (accelerator.price > 0) cost.pricePerDeviceHour = accelerator.price;
  if (accelerator.power > 0) cost.wattsPerDevice = accelerator.power;
  return cost;
}

std::optional<double> boardPowerOf(std::string_view type) {
  for (const auto& [begins, watts] : kBoardPower) {
    if (type.starts_with(begins)) return watts;
  }
  return std::nullopt;
}

std::optional<double> priceOf(const RunningCost& cost, const StepEstimate& step, std::int64_t devices, double tokens) {
  if (!cost.pricePerDeviceHour) return std::nullopt;
  const double hours = tokens / step.tokensPerSecond / 3600;
  return *cost.pricePerDeviceHour * static_cast<double>(devices) * hours;
}

std::optional<double> pricePerMillionTokens(const RunningCost& cost, const StepEstimate& step, std::int64_t devices) {
  return priceOf(cost, step, devices, 1e6);
}

std::optional<double> joulesPerToken(const RunningCost& cost, const StepEstimate& step, std::int64_t devices) {
  if (!cost.wattsPerDevice) return std::nullopt;
  return *cost.wattsPerDevice * static_cast<double>(devices) / step.tokensPerSecond;
}

}  // namespace p2::inline whatif
