// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "placement/parallelism_matrix.h"

namespace p2::inline step {

/// An order in which a framework lays out the axes of parallelism over the devices, and the placement that gives.
struct FrameworkOrder {
  std::string name;               ///< "Megatron-LM"
  std::string source;             ///< where the order is published
  std::vector<std::string> axes;  ///< outermost first; empty if the order cannot hold the axes
  ParallelismMatrix matrix;       ///< empty if there is none
  std::string reason;             ///< why there is none
};

/// Every order there is, for axes that are known by common names ("tp", "tensor" and "model" are one; roles of
/// experts' axes, rolesOf()), in any case. An order that the framework refuses for these degrees has a reason
/// and no matrix: experts that its one mesh cannot hold, or Megatron's assertions on expert data parallelism. `traffic`
/// has the communication over every axis, for orders that depend on it. A matrix says which levels an axis spans;
/// inside one level the factors stand in the order of `axes`, which makes no difference below a switch.
[[nodiscard]] std::vector<FrameworkOrder> frameworkOrders(const System& system, const std::vector<Axis>& axes,
                                                          const std::vector<double>& traffic);

}  // namespace p2::inline step
