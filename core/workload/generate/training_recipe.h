// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

#include "workload/generate/training_plan.h"
#include "workload/sources.h"

namespace p2::inline workload {

/// "format" of a recipe's file.
inline constexpr const char* kModelFormat = "p2-model";

/// Published figures of a training run.
struct PublishedFigures {
  std::optional<double> stepSeconds;
  std::optional<double> teraflopsPerDevice;
  std::optional<double> utilisation;   ///< share of the peak, 0 … 1
  std::optional<double> exposedShare;  ///< share of a step in which devices only communicate, 0 … 1
  std::string text;                    ///< in words
};

/// A model with its training plan, or the list of its observed communication.
struct TrainingRecipe {
  std::string name;
  std::string description;
  std::string source;  ///< where shape, degrees, order and figures are published
  std::string system;  ///< one it fits, as systemFromArgument() takes it
  ModelShape model;
  TrainingPlan plan;
  std::vector<std::string> given = {};  ///< keys of the plan's values in the file
  std::optional<Workload> listed;  ///< in place of model and plan
  PublishedFigures published;
};

/// The file: {"format": "p2-model", "version": 1, "name": …, "model": {…}, "plan": {…}} with the keys of modelFields()
/// and planFields(), or "workload" in place of both; schema in resources/schemas. Errors name the JSON pointer.
[[nodiscard]] Result<TrainingRecipe> recipeFromJson(std::string_view text);

/// The recipe's workload after some changes, by the keys of the fields. Without "devices" a degree that changes changes
/// their number; without "dp" they change it. A list has no model: of its one axis the size can change ("dp").
[[nodiscard]] Result<WorkloadSource> recipeWorkload(TrainingRecipe recipe, std::span<const PlanChange> changes);

/// A recipe that comes with the program, from resources/workloads.
struct BundledRecipe {
  std::string_view name;  ///< name in requests: "llama3-70b"
  std::string_view json;  ///< the file
};
[[nodiscard]] std::span<const BundledRecipe> bundledRecipes();
/// The recipe of that name; the error names those there are.
[[nodiscard]] Result<TrainingRecipe> bundledRecipe(std::string_view name);

}  // namespace p2::inline workload
