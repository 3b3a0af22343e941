// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workload/generate/model_shape.h"

namespace p2::inline training {

/// Layers of every virtual stage, in the order of the model: of pp · vpp chunks, the first of them has the embedding,
/// the last one the head. Chunk c of stage s is at c · pp + s; in V schedules the second chunk counts back.
using StageLayout = std::vector<std::int64_t>;

/// Layers as even as they divide where the embedding counts as `firstLess` layers and the head as `lastLess`; a
/// negative number gives that stage more. The remaining layers go to late stages, which hold fewer microbatches, and to
/// the last one only in the end. A head of more layers than the last chunk has takes them from earlier chunks of the
/// last stage. Empty where there are more virtual stages than layers, or a stage would have fewer than no layers.
[[nodiscard]] StageLayout balancedLayout(std::int64_t layers, std::int64_t stages, std::int64_t chunks,
                                         std::int64_t firstLess, std::int64_t lastLess);
/// As above with the remaining layers on the first of the virtual stages, as TorchTitan has it
/// (torchtitan/distributed/pipeline_parallel.py, generate_llm_fqn_per_model_part). Empty where it refuses.
[[nodiscard]] StageLayout leadingLayout(std::int64_t layers, std::int64_t virtualStages, std::int64_t firstLess,
                                        std::int64_t lastLess);
/// DeepSpeed's partition of layers of equal weight (deepspeed/runtime/utils.py, partition_balanced): the least
/// difference between the largest and the smallest stage, larger ones first.
[[nodiscard]] StageLayout partitionedLayout(std::int64_t layers, std::int64_t stages);
/// nanotron's blocks, by costs in parameters (nanotron/models/base.py, build_model): a stage takes blocks until the sum
/// exceeds its share of all costs.
[[nodiscard]] StageLayout cumulativeLayout(const ModelShape& model, std::int64_t stages);

/// The layers of virtual stages that make up each of `stages` stages, summed; `returns`: V schedules.
[[nodiscard]] std::vector<std::int64_t> layersByStage(const StageLayout& layout, std::int64_t stages, bool returns);

/// "3+14*4+2": three layers, fourteen chunks of four, two; "even" for an empty layout.
[[nodiscard]] std::string stageLayoutText(const StageLayout& layout);
/// From such a text. Errors: no numbers of layers.
[[nodiscard]] Result<StageLayout> stageLayoutFrom(std::string_view text);
/// "4 each, first 3, 5 others 3, last 2": layers of stages in words.
[[nodiscard]] std::string describeStageLayout(const std::vector<std::int64_t>& layers);

/// The text of Megatron's --pipeline-model-parallel-layout: "Ettt|(tt|)*29,L", with an "m" in the last stage for every
/// further token that is predicted.
[[nodiscard]] std::string megatronLayoutText(const StageLayout& layout, std::int64_t predictedTokens = 0);
/// Layers of every virtual stage of such a text, and the layers of multi-token prediction ("m"). Errors: other
/// characters, embedding or loss at another place.
struct MegatronLayout {
  StageLayout layers;
  std::int64_t predictedTokens = 0;
  bool predictsLast = true;  ///< those layers are on the last stage, with the loss
};
[[nodiscard]] Result<MegatronLayout> megatronLayoutFrom(std::string_view text);

/// Numbers of chunks that a stage is worth cutting into: the least for every size of a chunk, with and without
/// embedding and head as layers.
[[nodiscard]] std::vector<std::int64_t> chunkCounts(std::int64_t layers, std::int64_t stages);

}  // namespace p2::inline training
