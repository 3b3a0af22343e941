// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/plan_filter.h"

#include "views/shell/training_text.h"
#include "workload/axis_names.h"

namespace p2::views {
namespace {

constexpr double kSpareShare = 0.9;

bool keepsTensorInside(const PlannedConfiguration& planned, const System& system) {
  if (planned.matrix.empty()) return true;
  for (std::size_t axis = 0; axis < planned.axes.size(); ++axis) {
    if (planned.axes[axis].name == kTensorAxis && spreadOf(planned, system, axis).across > 1) return false;
  }
  return true;
}

}  // namespace

bool passes(const PlanFilter& filter, const PlannedConfiguration& planned, const System& system,
            const TrainingAnswer& answer) {
  if (filter.tensorInside && !keepsTensorInside(planned, system)) return false;
  return !filter.spareTenth || planned.memory.total() + answer.reserve <= kSpareShare * answer.memory;
}

std::vector<int> filteredRows(const TrainingAnswer& answer, const System& system, const PlanFilter& filter) {
  std::vector<int> rows;
  for (std::size_t row = 0; row < answer.configurations.size(); ++row) {
    if (passes(filter, answer.configurations[row], system, answer)) rows.push_back(int(row));
  }
  return rows;
}

}  // namespace p2::views
