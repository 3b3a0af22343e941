// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "pipeline/pipeline_solver.h"

namespace p2::inline pipeline {

/// The standard pipeline of large transformers (Narayanan et al., SC 2021), without a search for cuts.
struct PipelineBaseline {
  Pipeline pipeline;
  std::int64_t tensor = 1;  ///< degree of tensor parallelism, within a node
};

/// "Megatron TP + PP", "Megatron TP + SP + PP".
[[nodiscard]] std::string_view pipelineBaselineName(bool sequence);
/// Its description, in one sentence.
[[nodiscard]] std::string_view pipelineBaselineMeaning(bool sequence);

/// Stages of equal numbers of layers across the outermost levels; in each of them tensor parallelism over devices of
/// one node, and data parallelism over the others. With `sequence` norms and sums may split the sequence. The cheapest
/// of all degrees of tensor parallelism and of all numbers of stages, or of the number that is asked for. Where none
/// fits the memory, the cheapest without a bound. Errors: layers that cannot be divided evenly, operators that cannot
/// be cut that way, cancelled, errors of pipelineOf().
[[nodiscard]] Result<PipelineBaseline> pipelineBaseline(const PipelineChain& chain, GraphCostOptions options,
                                                        const System& system, PipelinePricer& pricer,
                                                        std::optional<std::int64_t> stages, bool sequence,
                                                        std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2::inline pipeline
