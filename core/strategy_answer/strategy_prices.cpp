// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy_answer/detail/strategy_prices.h"

namespace p2::inline strategy_answer {

Result<StrategyPrices> StrategyPrices::of(const StrategyInput& input, std::stop_token stop) {
  if (!input.isOnMesh()) return StrategyPrices(FlatPricer(input.options.bandwidth));
  P2_TRY_ASSIGN(const auto system, systemOfDevices(input.system, input.options.devices));
  return StrategyPrices(std::make_unique<Simulated>(system, input.pricing, std::move(stop)));
}

}  // namespace p2::inline strategy_answer
