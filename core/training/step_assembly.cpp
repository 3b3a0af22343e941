// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/step_assembly.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "training/detail/real.h"

namespace p2::inline training {
namespace {

using C = StepConstant;
using Collectives = CommunicationKind;

constexpr double kAnyEstimate = std::numeric_limits<double>::infinity();

/// PyTorch's kernel that fills the buffer of a ReduceScatter (chunk_cat) takes this multiple of a streaming pass's time
/// (an H100: 1.9 of 2.85 TB/s).
constexpr double kFillPasses = 1.5;

}  // namespace

StepAssembly::StepAssembly(const ModelShape& model, const TrainingConfiguration& configuration,
                           const TrainingAccelerator& accelerator, const StepConstants& constants,
                           const KernelCounts& counts, const CommunicationPrices& prices)
    : m_model(model),
      m_configuration(configuration),
      m_plan(configuration.plan),
      m_accelerator(accelerator),
      m_constants(constants),
      m_prices(&prices),
      m_microbatches(real(m_plan.microbatches)),
      m_counts(counts) {
  if (configuration.expertImbalance > 1) {
    m_even = configuration;
    m_even->expertImbalance = 1;
  }
  setPrices(prices);
}

void StepAssembly::setPrices(const CommunicationPrices& prices) {
  m_prices = &prices;
  const CostContext context{m_model, m_configuration, m_accelerator, prices, m_constants};
  m_dense = costOfLayer(context, m_counts.dense, false);
  if (m_model.experts > 0) {
    m_expert = costOfLayer(context, m_counts.experts, true);
    m_evenExpert = m_even
                       ? costOfLayer({m_model, *m_even, m_accelerator, prices, m_constants}, m_counts.evenExperts, true)
                       : m_expert;
  }
  m_head = costOfHead(context, m_counts.head);
  for (LayerCost* layer : {&m_dense, &m_expert, &m_evenExpert}) addShardCopies(*layer);
  m_denseGathers = gatherShown(m_dense);
  m_expertGathers = m_model.experts > 0 ? gatherShown(m_expert) : 0;
}

StageCost StepAssembly::costOf(const LayerRange& range) const {
  StageCost cost;
  const double dense = range.dense;
  const double experts = range.experts;
  if (dense > 0) cost.add(m_dense, dense, dense * range.recomputed);
  if (experts > 0) {
    cost.add(m_expert, experts, experts * range.recomputed);
    cost.overload = experts * (m_expert.forward.busy + m_expert.backward.busy - m_evenExpert.forward.busy -
                               m_evenExpert.backward.busy);
    cost.overloadKernels = experts * (m_expert.forward.kernels + m_expert.backward.kernels -
                                      m_evenExpert.forward.kernels - m_evenExpert.backward.kernels);
  }
  cost.gatherShown = dense * m_denseGathers + experts * m_expertGathers;
  if (range.heads > 0) cost.add(m_head, range.heads, 0);
  if (range.heads > 1) cost.add(m_counts.projection, range.heads - 1, 0);
  return cost;
}

LayerRange StepAssembly::rangeOf(double dense, double experts, double recomputed, bool last) const {
  LayerRange range{dense, experts, recomputed, last ? 1.0 : 0.0};
  if (!last) return range;
  const double more = real(m_configuration.predictedTokens);
  (m_model.experts > 0 ? range.experts : range.dense) += more;
  range.heads += more;
  return range;
}

void StepAssembly::setLayout(const StageLayout& chunks) {
  const std::int64_t stages = m_plan.pipeline;
  const bool returns = returnsThroughStages(m_configuration.schedule);
  m_layers = layersByStage(chunks, stages, returns);
  const bool several = static_cast<std::int64_t>(chunks.size()) > stages;
  m_stages.assign(m_layers.size(), {});
  m_stageLayers.assign(m_layers.size(), {0, 0});
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
    const std::int64_t recomputed = m_configuration.recomputedLayers;
    const double share = recomputed == 0 || m_layers[stage] == 0
                             ? 1
                             : real(std::min(recomputed, m_layers[stage])) / real(m_layers[stage]);
    const std::int64_t after = before + chunks[at];
    const std::int64_t expertsAfter = m_model.experts > 0 ? expertLayers(m_model, after) : 0;
    const double experts = real(expertsAfter - expertsBefore);
    const LayerRange range = rangeOf(real(chunks[at]) - experts, experts, share, at + 1 == chunks.size());
    // Most chunks are like the one before.
    if (at == 0 || range != known) cost = costOf(range);
    known = range;
    m_stages[stage] += cost;
    if (several) m_chunks[stage * m_chunksOfStage + at / static_cast<std::size_t>(stages)] = cost;
    m_stageLayers[stage].first += range.dense;
    m_stageLayers[stage].second += range.experts;
    before = after;
    expertsBefore = expertsAfter;
  }
}

void StepAssembly::clear() {
  m_parts = {};
  m_slowest = m_mean = m_dataOnce = m_endsOnce = m_waiting = m_hostOnce = 0;
}

double StepAssembly::secondsAtLeast() {
  clear();
  computeParts();
  pipelineParts(true, kAnyEstimate);
  m_hidesNoBackward = true;
  onceParts();
  m_hidesNoBackward = false;
  return m_parts.sum();
}

StepEstimate StepAssembly::estimate(double enough, double exactTo) {
  clear();
  StepEstimate made;
  made.flop = m_counts.flop;
  computeParts();
  // All parts are positive, so that sums without some of them are lower bounds. The schedule costs most to find.
  const StepParts before = m_parts;
  if (m_parts.sum() <= enough) {
    const bool bounds = std::isfinite(enough) && m_plan.pipeline > 1;
    pipelineParts(bounds, kAnyEstimate);
    onceParts();
    if (bounds && m_parts.sum() <= enough) {
      // Waiting for one another makes the bubble longer; the other parts do not depend on it.
      const double bubble = m_parts.bubble + (std::max(enough, exactTo) - m_parts.sum()) / (1 + stretch());
      m_parts = before;
      pipelineParts(false, bubble);
      onceParts();
    }
  }
  made.parts = m_parts;
  made.seconds = m_parts.sum();
  const double devices = real(devicesOf(m_plan));
  made.mfu = made.flop / (devices * peakOf(m_accelerator, m_configuration.precision) * made.seconds);
  made.tokensPerSecond = real(m_plan.globalBatch) * real(m_plan.sequence) / made.seconds;
  return made;
}

void StepAssembly::computeParts() {
  m_parts.compute = m_counts.peakSeconds;
  microbatchParts();
}

/// Each microbatch, FSDP casts a layer's shard for the AllGather and copies the gathered parameters out of its buffer
/// before either pass; after the backward pass it fills the buffer of the ReduceScatter and adds the shard's gradients
/// up. The full layer is copied by every device, so that sharding over more devices does not make these passes shorter
/// (torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py).
void StepAssembly::addShardCopies(LayerCost& layer) const {
  if (m_configuration.family != FrameworkFamily::Fsdp || !copiesEveryMicrobatch()) return;
  const double shards = real(m_plan.data) / real(m_plan.replicas) * real(m_plan.context);
  const double parameterBytes = real(sizeOf(m_plan.parameters).bytes);
  const double gradientBytes = real(sizeOf(m_plan.gradients).bytes);
  const double shardBytes = m_configuration.fullPrecisionSums ? 4 : 2;
  const double gather = 2 * parameterBytes + (shardBytes + parameterBytes) / shards;
  double scatter = 0;
  if (!m_configuration.adapters && !m_plan.accumulate) {
    scatter = kFillPasses * (2 + gradientBytes) + (m_microbatches > 1 ? 3 * shardBytes / shards : 0);
  }
  const double passSeconds =
      (layer.parameters + layer.expertParameters) / (m_accelerator.memoryBandwidth * m_constants[C::MemoryShare]);
  const auto add = [&](PassCost& pass, double bytes) {
    pass.kernels += bytes * passSeconds;
    pass.busy += bytes * passSeconds;
  };
  add(layer.forward, gather);
  add(layer.backward, (m_plan.reshard ? gather : 0) + scatter);
}

/// A gather before each pass of a layer and a scatter after the backward one; the shorter of communication
/// and computation is mostly hidden.
double StepAssembly::gatherShown(const LayerCost& layer) const {
  if (!gathersEveryMicrobatch()) return 0;
  const double bandwidth = m_configuration.family == FrameworkFamily::DeepSpeed ? m_constants[C::ShardBandwidth] : 1;
  const double parameterBytes = real(sizeOf(m_plan.parameters).bytes);
  const double gradientBytes = real(sizeOf(m_plan.gradients).bytes);
  const auto sharded = [&](Collectives kind, double size) {
    return (m_prices->seconds(TrainingGroup::Shards, kind, size * layer.parameters) +
            m_prices->seconds(TrainingGroup::ExpertData, kind, size * layer.expertParameters)) /
           bandwidth;
  };
  const double gather = sharded(Collectives::AllGather, parameterBytes);
  double scatter =
      m_configuration.adapters || m_plan.accumulate ? 0 : sharded(Collectives::ReduceScatter, gradientBytes);
  if (m_plan.replicas > 1) {
    scatter += m_prices->seconds(TrainingGroup::Replicas, Collectives::AllReduce,
                                 gradientBytes * layer.parameters / (real(m_plan.data) / real(m_plan.replicas)));
  }
  const double hidden = m_configuration.overlapsData ? hiddenShare(C::ShardHidden) : 0;
  const auto shown = [&](double computation, double communication) {
    const double both = std::max(computation, communication) + (1 - hidden) * std::min(computation, communication);
    return both - computation;
  };
  const double forward = shown(layer.forward.seconds(), gather);
  const double backward =
      shown(layer.backward.seconds() + layer.again.seconds(), (m_plan.reshard ? gather : 0) + scatter);
  return forward + backward;
}

/// The mean of all stages, times microbatches.
void StepAssembly::microbatchParts() {
  StageCost sum;
  for (const StageCost& stage : m_stages) {
    sum += stage;
    m_slowest = std::max(m_slowest, stage.slot());
  }
  const double each = m_microbatches / real(m_plan.pipeline);
  m_mean = sum.slot() / real(m_plan.pipeline);
  const double kernels = (sum.forward.kernels + sum.backward.kernels - sum.overloadKernels) * each;
  const double busy = (sum.forward.busy + sum.backward.busy - sum.overload) * each;
  m_parts.inefficiency = kernels - m_parts.compute;
  m_parts.host = busy - kernels;
  m_parts.recompute = sum.again.busy * each;
  expose(ExposedAxis::Tensor, (sum.forward.tensor + sum.backward.tensor + sum.again.tensor) * each);
  expose(ExposedAxis::Context, (sum.forward.context + sum.backward.context + sum.again.context) * each);
  expose(ExposedAxis::Expert, (sum.forward.expert + sum.backward.expert + sum.again.expert) * each);
  expose(ExposedAxis::Data, sum.gatherShown * each);
  m_parts.imbalance = m_microbatches * (m_slowest - m_mean) + sum.overload * each;
}

/// Share of communication that computation hides.
double StepAssembly::hiddenShare(StepConstant constant) const {
  return m_configuration.overlaps ? std::min(1.0, m_constants[constant]) : 0;
}

}  // namespace p2::inline training
