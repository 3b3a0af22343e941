// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/laid_out_stages.h"

#include <algorithm>

#include "training/detail/real.h"

namespace p2::inline training {

void LaidOutStages::set(const CostContext& context, const PricedLayers& layers, const StageLayout& chunks) {
  const TrainingConfiguration& run = context.configuration;
  const std::int64_t stages = run.plan.pipeline;
  const bool returns = returnsThroughStages(run.schedule);
  m_layers = layersByStage(chunks, stages, returns);
  const bool several = static_cast<std::int64_t>(chunks.size()) > stages;
  m_stages.assign(m_layers.size(), {});
  m_kinds.assign(m_layers.size(), {});
  m_chunks.assign(several ? chunks.size() : 0, {});
  m_chunksOfStage = several ? chunks.size() / m_layers.size() : 0;
  std::int64_t before = 0;
  std::int64_t expertsBefore = 0;
  LayerRange known{};
  StageCost cost;
  for (std::size_t at = 0; at < chunks.size(); ++at) {
    const std::int64_t within = static_cast<std::int64_t>(at) % stages;
    const bool back = returns && static_cast<std::int64_t>(at) / stages % 2 == 1;
    const auto stage = static_cast<std::size_t>(back ? stages - 1 - within : within);
    const std::int64_t recomputed = run.recomputedLayers;
    const double share = recomputed == 0 || m_layers[stage] == 0
                             ? 1
                             : real(std::min(recomputed, m_layers[stage])) / real(m_layers[stage]);
    const std::int64_t after = before + chunks[at];
    const std::int64_t expertsAfter = context.model.experts > 0 ? expertLayers(context.model, after) : 0;
    const double experts = real(expertsAfter - expertsBefore);
    const LayerRange range = rangeOf(context, real(chunks[at]) - experts, experts, share, at + 1 == chunks.size());
    // Most chunks are like the one before.
    if (at == 0 || range != known) cost = layers.costOf(range);
    known = range;
    m_stages[stage] += cost;
    if (several) m_chunks[stage * m_chunksOfStage + at / static_cast<std::size_t>(stages)] = cost;
    m_kinds[stage].dense += range.dense;
    m_kinds[stage].experts += range.experts;
    before = after;
    expertsBefore = expertsAfter;
  }
}

OwnedElements LaidOutStages::owned(const CostContext& context, const PricedLayers& layers) const {
  const TrainingConfiguration& run = context.configuration;
  OwnedElements most;
  for (std::size_t stage = 0; stage < m_layers.size(); ++stage) {
    const auto [dense, experts] = m_kinds[stage];
    double here = dense * layers.dense.parameters + experts * layers.expert.parameters;
    const bool first = stage == 0;
    const bool last = returnsThroughStages(run.schedule) ? first : stage + 1 == m_layers.size();
    const bool both = first && last && !context.model.tiedEmbeddings;
    const double ends = first || last ? layers.head.parameters * (both ? 2 : 1) : 0;
    here += ends + (last ? real(run.predictedTokens) * layers.projection.parameters : 0);
    const double theirs = experts * layers.expert.expertParameters;
    if (here + theirs > most.parameters + most.experts) most = {here, theirs, ends};
  }
  return most;
}

}  // namespace p2::inline training
