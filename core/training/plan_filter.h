// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "system/system.h"

namespace p2::inline training {

struct PlannedConfiguration;

/// Which configurations of a plan are listed.
struct PlanFilter {
  bool tensorInside = false;  ///< tensor parallelism stays inside a node
  bool spareTenth = false;    ///< a tenth of a device's memory stays free besides the reserve
  friend bool operator==(const PlanFilter&, const PlanFilter&) = default;
};

/// All that leave something out.
inline constexpr std::array kPlanFilters{PlanFilter{true, false}, PlanFilter{false, true}, PlanFilter{true, true}};

/// Whether a need of `total` bytes and `reserve` bytes leave a tenth of the memory free.
[[nodiscard]] bool sparesTenth(double total, double reserve, double memory);
/// Whether a filter lets a configuration for the system through. `reserve` and `memory`: bytes, as
/// in TrainingAnswer. O(axes · levels).
[[nodiscard]] bool passes(const PlanFilter& filter, const PlannedConfiguration& planned, const System& system,
                          double reserve, double memory);

}  // namespace p2::inline training
