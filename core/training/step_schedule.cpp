// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/step_schedule.h"

#include <algorithm>
#include <cmath>

#include "training/detail/real.h"

namespace p2::inline training {
namespace {

using C = StepConstant;

/// Whether messages between stages overlap with the computation of other chunks.
bool overlapsMessages(const TrainingConfiguration& run) {
  return run.plan.chunks > 1 && run.family != FrameworkFamily::MegatronEager;
}

}  // namespace

std::int64_t scheduledChunks(const TrainingConfiguration& run) {
  const bool two = run.schedule == ScheduleKind::ZeroBubbleV || run.schedule == ScheduleKind::DualPipe;
  return two && run.plan.pipeline > 1 ? 2 : run.plan.chunks;
}

double messageSeconds(const CostContext& context) {
  const TrainingPlan& plan = context.configuration.plan;
  const double tokens = real(plan.microbatch) * real(plan.sequence) / real(plan.context);
  const double bytes = 2 * tokens * real(context.model.hidden) / real(plan.tensor);
  const double one = context.prices.seconds(TrainingGroup::Pipeline, CommunicationKind::Shift, bytes);
  return one * (overlapsMessages(context.configuration) ? 1 - hiddenShare(context, C::StageHidden) : 1);
}

double waitingShare(const CostContext& context) {
  const double devices = real(devicesOf(context.configuration.plan));
  const double domain = context.accelerator.domain > 0 ? real(context.accelerator.domain) : devices;
  const double domains = std::max(1.0, devices / domain);
  // Stages that wait for every message of their neighbours go at the pace of the slower one.
  const bool waits = context.configuration.plan.pipeline > 1 && !overlapsMessages(context.configuration) && domains > 1;
  return context.constants[C::Jitter] * std::log2(domains) + (waits ? context.constants[C::StageJitter] : 0);
}

void setWork(std::vector<std::vector<StageWork>>& work, const CostContext& context, const LaidOutStages& stages) {
  const double message = messageSeconds(context);
  const auto workOf = [&](const StageCost& cost) {
    const double forward = cost.forward.seconds() + cost.gatherShown / 3;
    const double weights = cost.backward.weights;
    return StageWork{forward + message, cost.slot() - forward - weights + message, weights};
  };
  const auto chunks = static_cast<std::size_t>(scheduledChunks(context.configuration));
  work.resize(stages.costs().size());
  for (std::size_t stage = 0; stage < work.size(); ++stage) {
    auto& mine = work[stage];
    mine.clear();
    if (stages.chunksOf(stage).empty()) mine.assign(chunks, workOf(stages.costs()[stage]));
    for (const StageCost& chunk : stages.chunksOf(stage)) mine.push_back(workOf(chunk));
  }
}

StageDetail stageDetail(const CostContext& context, const LaidOutStages& stages, std::size_t stage) {
  const double message = context.configuration.plan.pipeline > 1 ? messageSeconds(context) : 0;
  const auto pass = [&](const PassCost& cost, const PassCost& again, double weights, double gathers) {
    PassDetail made{cost.busy - weights, again.busy, {}};
    made.exposed = {cost.tensor + again.tensor, cost.context + again.context, cost.expert + again.expert, message,
                    gathers};
    return made;
  };
  StageDetail made{stages.layersOf(stage), {}};
  const auto add = [&](const StageCost& chunk) {
    const double weights = chunk.backward.weights;
    made.chunks.push_back({pass(chunk.forward, {}, 0, chunk.gatherShown / 3),
                           pass(chunk.backward, chunk.again, weights, chunk.gatherShown * 2 / 3), weights});
  };
  if (stages.chunksOf(stage).empty()) {
    // DualPipe's chunks are whole stages.
    const std::int64_t chunks = scheduledChunks(context.configuration);
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) add(stages.costs()[stage]);
  }
  for (const StageCost& chunk : stages.chunksOf(stage)) add(chunk);
  return made;
}

}  // namespace p2::inline training
