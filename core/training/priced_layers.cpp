// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/priced_layers.h"

#include <algorithm>

#include "training/detail/real.h"

namespace p2::inline training {
namespace {

using C = StepConstant;
using Collectives = CommunicationKind;

/// PyTorch's kernel that fills the buffer of a ReduceScatter (chunk_cat) takes this multiple of a streaming pass's time
/// (an H100: 1.9 of 2.85 TB/s).
constexpr double kFillPasses = 1.5;

/// Under a pipeline parameters stay gathered through a step where they are not sharded again.
bool copiesEveryMicrobatch(const TrainingPlan& plan) { return plan.zero == 3 && (plan.pipeline == 1 || plan.reshard); }

/// Each microbatch, FSDP casts a layer's shard for the AllGather and copies the gathered parameters out of its buffer
/// before either pass; after the backward pass it fills the buffer of the ReduceScatter and adds the shard's gradients
/// up. The full layer is copied by every device, so that sharding over more devices does not make these passes shorter
/// (torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py).
void addShardCopies(const CostContext& context, LayerCost& layer) {
  const TrainingConfiguration& run = context.configuration;
  const TrainingPlan& plan = run.plan;
  if (run.family != FrameworkFamily::Fsdp || !copiesEveryMicrobatch(plan)) return;
  const double shards = real(plan.data) / real(plan.replicas) * real(plan.context);
  const double parameterBytes = real(sizeOf(plan.parameters).bytes);
  const double gradientBytes = real(sizeOf(plan.gradients).bytes);
  const double shardBytes = run.fullPrecisionSums ? 4 : 2;
  const double gather = 2 * parameterBytes + (shardBytes + parameterBytes) / shards;
  double scatter = 0;
  if (!run.adapters && !plan.accumulate) {
    scatter = kFillPasses * (2 + gradientBytes) + (plan.microbatches > 1 ? 3 * shardBytes / shards : 0);
  }
  const double passSeconds = (layer.parameters + layer.expertParameters) /
                             (context.accelerator.memoryBandwidth * context.constants[C::MemoryShare]);
  const auto add = [&](PassCost& pass, double bytes) {
    pass.kernels += bytes * passSeconds;
    pass.busy += bytes * passSeconds;
  };
  add(layer.forward, gather);
  add(layer.backward, (plan.reshard ? gather : 0) + scatter);
}

/// A gather before each pass of a layer and a scatter after the backward one; the shorter of communication
/// and computation is mostly hidden.
double gatherShown(const CostContext& context, const LayerCost& layer) {
  const TrainingConfiguration& run = context.configuration;
  const TrainingPlan& plan = run.plan;
  if (!gathersEveryMicrobatch(plan)) return 0;
  const double bandwidth = run.family == FrameworkFamily::DeepSpeed ? context.constants[C::ShardBandwidth] : 1;
  const double parameterBytes = real(sizeOf(plan.parameters).bytes);
  const double gradientBytes = real(sizeOf(plan.gradients).bytes);
  const auto sharded = [&](Collectives kind, double size) {
    return (context.prices.seconds(TrainingGroup::Shards, kind, size * layer.parameters) +
            context.prices.seconds(TrainingGroup::ExpertData, kind, size * layer.expertParameters)) /
           bandwidth;
  };
  const double gather = sharded(Collectives::AllGather, parameterBytes);
  double scatter = run.adapters || plan.accumulate ? 0 : sharded(Collectives::ReduceScatter, gradientBytes);
  if (plan.replicas > 1) {
    scatter += context.prices.seconds(TrainingGroup::Replicas, Collectives::AllReduce,
                                      gradientBytes * layer.parameters / (real(plan.data) / real(plan.replicas)));
  }
  const double hidden = run.overlapsData ? hiddenShare(context, C::ShardHidden) : 0;
  const auto shown = [&](double computation, double communication) {
    const double both = std::max(computation, communication) + (1 - hidden) * std::min(computation, communication);
    return both - computation;
  };
  const double forward = shown(layer.forward.seconds(), gather);
  const double backward =
      shown(layer.backward.seconds() + layer.again.seconds(), (plan.reshard ? gather : 0) + scatter);
  return forward + backward;
}

}  // namespace

bool gathersEveryMicrobatch(const TrainingPlan& plan) {
  return copiesEveryMicrobatch(plan) && plan.data * plan.context > plan.replicas;
}

double hiddenShare(const CostContext& context, StepConstant constant) {
  return context.configuration.overlaps ? std::min(1.0, context.constants[constant]) : 0;
}

LayerRange rangeOf(const CostContext& context, double dense, double experts, double recomputed, bool last) {
  LayerRange range{dense, experts, recomputed, last ? 1.0 : 0.0};
  if (!last) return range;
  const double more = real(context.configuration.predictedTokens);
  (context.model.experts > 0 ? range.experts : range.dense) += more;
  range.heads += more;
  return range;
}

StageCost PricedLayers::costOf(const LayerRange& range) const {
  StageCost cost;
  if (range.dense > 0) cost.add(dense, range.dense, range.dense * range.recomputed);
  if (range.experts > 0) {
    cost.add(expert, range.experts, range.experts * range.recomputed);
    cost.overload = range.experts *
                    (expert.forward.busy + expert.backward.busy - evenExpert.forward.busy - evenExpert.backward.busy);
    cost.overloadKernels = range.experts * (expert.forward.kernels + expert.backward.kernels -
                                            evenExpert.forward.kernels - evenExpert.backward.kernels);
  }
  cost.gatherShown = range.dense * denseGathers + range.experts * expertGathers;
  if (range.heads > 0) cost.add(head, range.heads, 0);
  if (range.heads > 1) cost.add(projection, range.heads - 1, 0);
  return cost;
}

PricedLayers priceLayers(const CostContext& context, const KernelCounts& counts) {
  PricedLayers made;
  made.projection = counts.projection;
  made.dense = costOfLayer(context, counts.dense, false);
  const bool mixture = context.model.experts > 0;
  if (mixture) {
    made.expert = made.evenExpert = costOfLayer(context, counts.experts, true);
    if (context.configuration.expertImbalance > 1) {
      TrainingConfiguration even = context.configuration;
      even.expertImbalance = 1;
      made.evenExpert = costOfLayer({context.model, even, context.accelerator, context.prices, context.constants},
                                    counts.evenExperts, true);
    }
  }
  made.head = costOfHead(context, counts.head);
  for (LayerCost* layer : {&made.dense, &made.expert, &made.evenExpert}) addShardCopies(context, *layer);
  made.denseGathers = gatherShown(context, made.dense);
  made.expertGathers = mixture ? gatherShown(context, made.expert) : 0;
  return made;
}

}  // namespace p2::inline training
