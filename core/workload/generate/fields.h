// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workload/generate/training_plan.h"
#include "workload/sources.h"

namespace p2 {

/// One value of a model or a plan: what files, options and forms know of it.
template <class T>
struct Field {
  std::string_view key;                   ///< in files: "kv_heads"; as an option --kv-heads
  std::string_view label;                 ///< in forms: "KV heads"
  std::string_view help;                  ///< a sentence without its stop
  std::vector<std::string_view> choices;  ///< the words it can be; empty for numbers and texts
  std::string (*get)(const T&);
  /// Takes a text as it is typed; the error says what would be right. Ranges are asked by checkModel() and checkPlan().
  Result<void> (*set)(T&, std::string_view text);
};

/// All values of a model, and of a plan, in the order in which files and forms have them.
[[nodiscard]] const std::vector<Field<ModelShape>>& modelFields();
[[nodiscard]] const std::vector<Field<TrainingPlan>>& planFields();

/// Changes one value of either, by its key; '-' and '_' are one. The error's position is the key.
[[nodiscard]] Result<void> applyChange(const PlanChange& change, ModelShape& model, TrainingPlan& plan);
[[nodiscard]] Result<void> applyChanges(std::span<const PlanChange> changes, ModelShape& model, TrainingPlan& plan);

}  // namespace p2
