// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "strategy/graph_costs.h"

namespace p2::inline workspace {

/// A vertex that must take a configuration. By name, since another graph or number of devices may lack either.
struct StrategyPin {
  std::string vertex;
  Configuration parts;
  friend bool operator==(const StrategyPin&, const StrategyPin&) = default;
};

/// The graph whose best strategy is wanted, and how it is priced.
struct StrategyChoice {
  /// A number of devices that stands for all of the workspace's system.
  static constexpr std::int64_t kAllDevices = 0;

  std::string graph = "mlp";  ///< a bundled graph's name, or the path of a file
  std::int64_t batch = 0;     ///< where a model leaves it open; 0 for none
  std::int64_t sequence = 0;  ///< tokens of a transformer's sequence, where it leaves them open; 0 for none
  double capacityFactor = 0;  ///< for a transformer's experts: see StepShape; 0 for none
  std::int64_t stages = 0;    ///< stages of a pipeline, if wanted; 0 for the best number
  /// Sizes of dimensions that an ONNX model leaves open, by name; names that a model does not have mean nothing to it.
  std::map<std::string, std::int64_t> dimensions = {};
  /// A 0 or an empty value means the system's: filledIn().
  GraphCostOptions options = {.devices = kAllDevices, .flops = 0, .bytesPerElement = Bytes(0)};
  std::vector<StrategyPin> pins;
  friend bool operator==(const StrategyChoice&, const StrategyChoice&) = default;
};

}  // namespace p2::inline workspace
