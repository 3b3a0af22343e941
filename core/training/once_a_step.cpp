// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/once_a_step.h"

#include <algorithm>

#include "training/detail/real.h"

namespace p2::inline training {
namespace {

using C = StepConstant;
using Collectives = CommunicationKind;

/// Collectives over gradients and parameters, with or without computation at the same time.
double dataSeconds(const CostContext& context, const OwnedElements& own, double gradientBytes) {
  const TrainingPlan& plan = context.configuration.plan;
  const auto price = [&](TrainingGroup group, Collectives kind, double bytes) {
    return context.prices.seconds(group, kind, bytes);
  };
  if (plan.zero == 0) {
    return price(TrainingGroup::Data, Collectives::AllReduce, gradientBytes * own.parameters) +
           price(TrainingGroup::ExpertData, Collectives::AllReduce, gradientBytes * own.experts);
  }
  if (gathersEveryMicrobatch(plan)) return 0;
  const double endBytes = real(sizeOf(plan.parameters).bytes);
  // Embedding and head stay in 16 bits.
  const double parameterBytes = gathersEightBits(context.configuration) ? 1 : endBytes;
  double seconds = price(TrainingGroup::Shards, Collectives::ReduceScatter, gradientBytes * own.parameters) +
                   price(TrainingGroup::Shards, Collectives::AllGather,
                         parameterBytes * (own.parameters - own.ends) + endBytes * own.ends) +
                   price(TrainingGroup::ExpertData, Collectives::ReduceScatter, gradientBytes * own.experts) +
                   price(TrainingGroup::ExpertData, Collectives::AllGather, parameterBytes * own.experts);
  if (plan.replicas > 1) {
    seconds += price(TrainingGroup::Replicas, Collectives::AllReduce,
                     gradientBytes * own.parameters * real(plan.replicas) / real(plan.data));
  }
  return seconds;
}

/// Those that the last backward pass of the slowest stage does not hide.
double shownDataSeconds(const CostContext& context, const LaidOutStages& stages, double seconds, bool bounds) {
  const TrainingConfiguration& run = context.configuration;
  double lastBackward = 0;
  for (const StageCost& stage : stages.costs()) lastBackward = std::max(lastBackward, stage.backward.seconds());
  const bool overlaps = run.overlaps && run.overlapsData;
  const double hidden = overlaps ? hiddenShare(context, C::DataHidden) : 0;
  const double most = overlaps ? 1.35 * lastBackward : 0;
  const double shown = bounds ? seconds * (1 - hidden) : std::max(seconds * (1 - hidden), seconds - most);
  return run.ownerBroadcasts > 1 ? shown + context.constants[C::OwnerBroadcast] * run.ownerBroadcasts : shown;
}

/// AdamW reads and writes 34 bytes of every parameter that a device owns, and clipping and scaling read 10 of every
/// gradient.
double optimizerSeconds(const CostContext& context, const OwnedElements& own) {
  const TrainingPlan& plan = context.configuration.plan;
  const double shards = plan.zero > 0 ? real(membersOf(TrainingGroup::Shards, plan)) : 1;
  const double expertShards = plan.zero > 0 ? real(membersOf(TrainingGroup::ExpertData, plan)) : 1;
  const double mine = own.parameters / shards + own.experts / expertShards;
  const double gradients = plan.zero >= 2 ? mine : own.parameters + own.experts;
  const double bandwidth = context.accelerator.memoryBandwidth * context.constants[C::MemoryShare];
  return (34 * mine + 10 * gradients) / bandwidth * context.constants[C::Optimizer];
}

}  // namespace

OnceAStep onceAStep(const CostContext& context, const PricedLayers& layers, const LaidOutStages& stages, bool bounds) {
  const TrainingConfiguration& run = context.configuration;
  OnceAStep once;
  once.host = context.constants[C::StepFloor] + real(run.plan.microbatches) * context.constants[C::MicrobatchFloor];
  if (run.adapters) return once;
  const OwnedElements own = stages.owned(context, layers);
  const double gradientBytes = run.fullPrecisionSums ? 4 : 2;
  once.data = shownDataSeconds(context, stages, dataSeconds(context, own, gradientBytes), bounds);
  if (context.model.tiedEmbeddings && run.plan.pipeline > 1) {
    once.ends =
        context.prices.seconds(TrainingGroup::Ends, Collectives::AllReduce, gradientBytes * layers.head.parameters);
  }
  once.optimizer = optimizerSeconds(context, own);
  return once;
}

}  // namespace p2::inline training
