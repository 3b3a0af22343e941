// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "base/property.h"
#include "workload/generate/training_plan.h"
#include "workload/sources.h"

namespace p2::inline workload {

/// All values of a model, and of a plan, in the order of files and forms. Ranges of sizes and degrees are here;
/// checkModel() and checkPlan() check divisibility and products.
[[nodiscard]] std::span<const Property<ModelShape>> modelFields();
[[nodiscard]] std::span<const Property<TrainingPlan>> planFields();

/// Changes one value of either, by its key; '-' and '_' are one. The error's position is the key.
[[nodiscard]] Result<void> applyChange(const PlanChange& change, ModelShape& model, TrainingPlan& plan);
[[nodiscard]] Result<void> applyChanges(std::span<const PlanChange> changes, ModelShape& model, TrainingPlan& plan);

}  // namespace p2::inline workload
