// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/memory_stages.h"

#include <algorithm>

#include "training/detail/pipeline_orders.h"
#include "training/detail/real.h"

namespace p2::inline training {
namespace {

/// Microbatches of chunk `chunk` of a stage that are in flight at once when the stage holds most. `group`: microbatches
/// that go through a chunk one after the other, largestGroup().
double microbatchesInFlight(const TrainingConfiguration& configuration, std::int64_t stage, std::int64_t chunk,
                            double group) {
  const TrainingPlan& plan = configuration.plan;
  const double m = real(plan.microbatches);
  const double after = real(plan.pipeline - 1 - stage);
  switch (configuration.schedule) {
    case ScheduleKind::GPipe:
      return m;
    case ScheduleKind::ZeroBubble2:
      return std::min(m, 2 * after + 1);
    case ScheduleKind::ZeroBubbleV:
      return std::min(m, real(plan.pipeline));
    case ScheduleKind::DualPipe:
      return std::min(m, real(plan.pipeline) + 1);
    case ScheduleKind::OneF1B:
    case ScheduleKind::ZeroBubble1:
      break;
  }
  if (plan.chunks == 1) return std::min(m, after + 1);
  // Interleaved: groups of microbatches go through one chunk after the other. In flight are (v − 1) groups and
  // 2·after + 1 passes or one more: the last chunk's of the first group, then the first chunk's of the second.
  const double rest = 2 * after + 1;
  if (chunk + 1 == plan.chunks) return std::min(m, std::min(rest, group));
  return std::min(m, group + (chunk == 0 ? std::max(0.0, rest - group) : 0));
}

}  // namespace

std::vector<MemoryStage> memoryStages(const ModelShape& model, const TrainingConfiguration& configuration) {
  const StageLayout layout = chunkLayers(model, configuration);
  const std::int64_t count = configuration.plan.pipeline;
  const bool returns = returnsThroughStages(configuration.schedule);
  const double group = real(largestGroup(count, configuration.plan.chunks, configuration.plan.microbatches));
  std::vector<MemoryStage> stages(static_cast<std::size_t>(count));
  std::int64_t before = 0;
  std::int64_t expertsBefore = 0;
  std::int64_t chunk = 0;
  std::int64_t within = 0;
  for (std::size_t at = 0; at < layout.size(); ++at, ++within) {
    if (within == count) {
      within = 0;
      ++chunk;
    }
    const std::int64_t number = returns && chunk % 2 == 1 ? count - 1 - within : within;
    MemoryStage& stage = stages[static_cast<std::size_t>(number)];
    stage.number = number;
    const std::int64_t after = before + layout[at];
    const std::int64_t expertsAfter = model.experts > 0 ? expertLayers(model, after) : 0;
    const double predicted = at + 1 == layout.size() ? real(configuration.predictedTokens) : 0;
    const double experts = real(expertsAfter - expertsBefore) + (model.experts > 0 ? predicted : 0);
    const double dense = real(layout[at] - expertsAfter + expertsBefore) + (model.experts > 0 ? 0 : predicted);
    const double inFlight = microbatchesInFlight(configuration, number, chunk, group);
    stage.dense += dense;
    stage.experts += experts;
    stage.denseInFlight += dense * inFlight;
    stage.expertsInFlight += experts * inFlight;
    stage.first = stage.first || at == 0;
    stage.last = stage.last || at + 1 == layout.size();
    before = after;
    expertsBefore = expertsAfter;
  }
  // Megatron-Core begins one forward pass earlier. Its layers alternate with the layers of a backward pass, which frees
  // one for each that begins (model_chunk_schedule_plan.py, TransformerModelChunkSchedulePlan.run).
  const bool pairs = configuration.plan.expertOverlap && configuration.plan.microbatches > 1;
  for (MemoryStage& stage : stages) stage.expertsInFlight += pairs ? std::min(1.0, stage.experts) : 0;
  return stages;
}

namespace {

/// Whether a stage holds no more than an earlier one.
bool holdsNoMore(const MemoryStage& stage, const MemoryStage& earlier) {
  return stage.dense == earlier.dense && stage.experts == earlier.experts && stage.first == earlier.first &&
         stage.last == earlier.last && stage.denseInFlight <= earlier.denseInFlight &&
         stage.expertsInFlight <= earlier.expertsInFlight;
}

}  // namespace

const std::vector<std::vector<MemoryStage>>& FullestStages::of(const TrainingConfiguration& configuration,
                                                               const std::vector<StageLayout>& layouts) {
  const TrainingPlan& plan = configuration.plan;
  const Key key{plan.pipeline,          plan.chunks,        plan.microbatches,
                configuration.schedule, plan.expertOverlap, configuration.predictedTokens};
  Known& known = m_known[plan.expertOverlap ? 1 : 0];
  if (key == known.key && layouts == known.layouts) return known.stages;
  known.key = key;
  known.layouts = layouts;
  known.stages.clear();
  TrainingConfiguration made = configuration;
  for (const StageLayout& layout : layouts) {
    made.layersPerStage = layout;
    std::vector<MemoryStage>& kept = known.stages.emplace_back();
    for (const MemoryStage& stage : memoryStages(m_model, made)) {
      if (kept.empty() || !holdsNoMore(stage, kept.back())) kept.push_back(stage);
    }
  }
  return known.stages;
}

}  // namespace p2::inline training
