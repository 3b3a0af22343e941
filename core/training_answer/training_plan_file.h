// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "training_answer/training_request.h"
#include "training_files/stated_training.h"

namespace p2::inline training_answer {

/// "format" of a plan's file.
inline constexpr const char* kTrainingFormat = "p2-training";

/// A chosen configuration with everything that its prediction and its launch depend on.
struct TrainingPlanFile {
  std::string modelName;      ///< as the request has it: "llama3-70b", or a path
  TrainingQuestion question;  ///< model, system, batch, sequence, precision, reserve; its framework alone
  PlannedConfiguration planned;
  std::vector<std::string> assumed = {};  ///< TrainingAnswer::assumed, one sentence each
};

/// {"format": "p2-training", "version": 1, "model": {…}, "system": {…}, "framework", "plan": {…}, …}: keys of
/// modelFields() and planFields(), of system files and of `p2 train --json`; schema in resources/schemas.
[[nodiscard]] std::string trainingPlanToJson(const TrainingPlanFile& file);
/// Reads a plan and prices it again on the placement of its order of ranks. Errors: with the JSON pointer, a newer
/// version, a configuration that the framework refuses.
[[nodiscard]] Result<TrainingPlanFile> trainingPlanFromJson(std::string_view text);
/// Choices and sizes that a plan states, with the name and the shape of its model; nothing is priced. Errors: as
/// trainingPlanFromJson(), except of the framework's rules.
[[nodiscard]] Result<StatedTraining> statedByPlan(std::string_view text);
/// StatedTraining::format of a plan.
inline constexpr const char* kStatedByPlan = "plan of p2 train";
/// Whether a file is such a plan, by its beginning.
[[nodiscard]] bool isTrainingPlan(std::string_view text);

/// A text that a plan can be written as.
struct TrainingExport {
  std::string_view name;  ///< "megatron", "slurm"
  std::string_view description;
  std::string_view runsOn;  ///< software that takes the file
};
[[nodiscard]] std::span<const TrainingExport> trainingExports();
/// The plan in one of these formats. `hosts`: the nodes in the order of the devices; empty for node0, node1, … Errors:
/// another name, for which they are listed; a framework that does not run the configuration (with its rule); another
/// number of hosts than nodes.
[[nodiscard]] Result<std::string> exportTrainingPlan(const TrainingPlanFile& file, std::string_view format,
                                                     const std::vector<std::string>& hosts = {});

}  // namespace p2::inline training_answer
