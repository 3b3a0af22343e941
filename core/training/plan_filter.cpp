// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/plan_filter.h"

#include "training/planner.h"
#include "workload/axis_names.h"

namespace p2::inline training {
namespace {

constexpr double kUsedShare = 0.9;

bool keepsTensorInside(const PlannedConfiguration& planned, const System& system) {
  if (planned.matrix.empty()) return true;
  for (std::size_t axis = 0; axis < planned.axes.size(); ++axis) {
    if (planned.axes[axis].name != kTensorAxis) continue;
    for (std::size_t level = 0; level < nodeDepth(system); ++level) {
      if (planned.matrix.at(axis, level) > 1) return false;
    }
  }
  return true;
}

}  // namespace

bool sparesTenth(double total, double reserve, double memory) { return total + reserve <= kUsedShare * memory; }

bool passes(const PlanFilter& filter, const PlannedConfiguration& planned, const System& system, double reserve,
            double memory) {
  if (filter.tensorInside && !keepsTensorInside(planned, system)) return false;
  return !filter.spareTenth || sparesTenth(planned.memory.total(), reserve, memory);
}

}  // namespace p2::inline training
