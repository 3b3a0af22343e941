// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: rules that several frameworks state, each in a source of its own.
#pragma once

#include "training/frameworks.h"

namespace p2::inline training::rules {

using Broken = BrokenReason;

/// "tp 5 does not divide the 32 heads", or no value if it does. The texts must outlive it.
[[nodiscard]] Broken notDivided(const char* what, std::int64_t by, std::int64_t whole, const char* ofWhat);

[[nodiscard]] Broken headsByTensor(const ModelShape& model, const TrainingConfiguration& configuration);
[[nodiscard]] Broken keyHeadsByTensor(const ModelShape& model, const TrainingConfiguration& configuration);
[[nodiscard]] Broken mlpByTensor(const ModelShape& model, const TrainingConfiguration& configuration);
[[nodiscard]] Broken layersByStages(const ModelShape& model, const TrainingConfiguration& configuration);
[[nodiscard]] Broken expertsByDegree(const ModelShape& model, const TrainingConfiguration& configuration);
/// The layout is one of those that are searched.
[[nodiscard]] bool isOffered(const std::vector<StageLayout>& layouts, const ModelShape& model,
                             const TrainingConfiguration& configuration);
/// Layers of the model that the head takes as long as, at least 1: by parameters.
[[nodiscard]] std::int64_t headInLayers(const ModelShape& model);
/// Expert degrees divide the devices of a stage.
[[nodiscard]] Broken expertMesh(const ModelShape& model, const TrainingConfiguration& configuration);
/// Load balancing of causal attention cuts a sequence into 2·cp parts.
[[nodiscard]] Broken sequenceByContext(const ModelShape& model, const TrainingConfiguration& configuration);
[[nodiscard]] Broken sequenceByTensor(const ModelShape& model, const TrainingConfiguration& configuration);
/// An AllToAll of heads gives every context rank whole heads of keys and values.
[[nodiscard]] Broken headsByContext(const ModelShape& model, const TrainingConfiguration& configuration);
/// Tokens go to experts by NCCL's AllToAll.
[[nodiscard]] Broken expertsByAllToAll(const ModelShape& model, const TrainingConfiguration& configuration);
/// No CUDA graphs of a training step.
[[nodiscard]] Broken noGraphs(const ModelShape& model, const TrainingConfiguration& configuration);
/// Blocks in the place of attention are among those that a framework has, by ModelShape::otherBlocks.
[[nodiscard]] Broken blocksAmong(std::span<const std::string_view> known, const ModelShape& model);
/// Interleaving needs a pipeline, and a number of microbatches that divides by the stages.
[[nodiscard]] Broken interleavedMicrobatches(const ModelShape& model, const TrainingConfiguration& configuration);

/// The framework has no multi-token prediction.
[[nodiscard]] Broken noPredictedTokens(const ModelShape&, const TrainingConfiguration& configuration);

}  // namespace p2::inline training::rules
