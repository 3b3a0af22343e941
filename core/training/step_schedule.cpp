// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a step that the schedule adds, and the parts that occur once.
#include <algorithm>
#include <cmath>

#include "base/near.h"
#include "training/detail/real.h"
#include "training/detail/step_assembly.h"

namespace p2::inline training {
namespace {

using C = StepConstant;
using Collectives = CommunicationKind;

}  // namespace

/// Chunks of layers that every stage has in its schedule.
std::int64_t StepAssembly::chunks() const {
  const bool two =
      m_configuration.schedule == ScheduleKind::ZeroBubbleV || m_configuration.schedule == ScheduleKind::DualPipe;
  return two && m_plan.pipeline > 1 ? 2 : m_plan.chunks;
}

StageDetail StepAssembly::stageDetail(std::size_t stage) const {
  const double message = m_plan.pipeline > 1 ? messageSeconds() : 0;
  const auto pass = [&](const PassCost& cost, const PassCost& again, double weights, double gathers) {
    PassDetail made{cost.busy - weights, again.busy, {}};
    made.exposed = {cost.tensor + again.tensor, cost.context + again.context, cost.expert + again.expert, message,
                    gathers};
    return made;
  };
  StageDetail made{m_layers[stage], {}};
  const auto add = [&](const StageCost& chunk) {
    const double weights = chunk.backward.weights;
    made.chunks.push_back({pass(chunk.forward, {}, 0, chunk.gatherShown / 3),
                           pass(chunk.backward, chunk.again, weights, chunk.gatherShown * 2 / 3), weights});
  };
  if (m_chunks.empty()) {
    // DualPipe's chunks are whole stages.
    for (std::int64_t chunk = 0; chunk < chunks(); ++chunk) add(m_stages[stage]);
  } else {
    for (const StageCost& chunk : chunksOf(stage)) add(chunk);
  }
  return made;
}

StepDetail StepAssembly::detail() const {
  StepDetail made;
  made.schedule = m_configuration.schedule;
  made.chunks = chunks();
  made.microbatches = m_plan.microbatches;
  for (std::size_t stage = 0; stage < m_stages.size(); ++stage) made.stages.push_back(stageDetail(stage));
  made.dataExposed = m_dataOnce;
  made.endsExposed = m_endsOnce;
  made.waiting = m_waiting;
  made.optimizer = m_parts.optimizer;
  made.host = m_hostOnce;
  return made;
}

/// Whether messages between stages overlap with the computation of other chunks.
bool StepAssembly::overlapsMessages() const {
  return m_plan.chunks > 1 && m_configuration.family != FrameworkFamily::MegatronEager;
}

/// Seconds of a message between stages, which both take part in unless it is overlapped.
double StepAssembly::messageSeconds() const {
  const double tokens = real(m_plan.microbatch) * real(m_plan.sequence) / real(m_plan.context);
  const double bytes = 2 * tokens * real(m_model.hidden) / real(m_plan.tensor);
  const double one = m_prices->seconds(TrainingGroup::Pipeline, Collectives::Shift, bytes);
  return one * (overlapsMessages() ? 1 - hiddenShare(C::StageHidden) : 1);
}

const std::vector<std::vector<StageWork>>& StepAssembly::work() {
  const double message = messageSeconds();
  const auto workOf = [&](const StageCost& cost) {
    const double forward = cost.forward.seconds() + cost.gatherShown / 3;
    const double weights = cost.backward.weights;
    return StageWork{forward + message, cost.slot() - forward - weights + message, weights};
  };
  m_work.resize(m_stages.size());
  for (std::size_t stage = 0; stage < m_stages.size(); ++stage) {
    auto& mine = m_work[stage];
    mine.clear();
    if (m_chunks.empty()) mine.assign(static_cast<std::size_t>(chunks()), workOf(m_stages[stage]));
    for (const StageCost& chunk : chunksOf(stage)) mine.push_back(workOf(chunk));
  }
  return m_work;
}

/// `bounds`: with a lower bound of the schedule instead of the played one. A bubble above `mostBubble` may be any that
/// is.
void StepAssembly::pipelineParts(bool bounds, double mostBubble) {
  if (m_plan.pipeline == 1) return;
  const double message = messageSeconds();
  const ScheduleKind schedule = m_configuration.schedule;
  const auto& passes = work();
  const bool dual = schedule == ScheduleKind::DualPipe;
  const double messages = 2 * message * real(dual ? 1 : chunks()) * m_microbatches;
  expose(ExposedAxis::Pipeline, messages);
  const double busy = messages + m_microbatches * m_slowest;
  const double seconds = bounds
                             ? pipelineLowerBound(schedule, passes, m_plan.microbatches)
                             : pipelineSeconds(schedule, passes, m_plan.microbatches, 0, busy + mostBubble, m_played);
  m_parts.bubble = definitelyLess(busy, seconds) ? seconds - busy : 0;
}

/// Share by which waiting for one another makes a step longer.
double StepAssembly::stretch() const {
  const double devices = real(devicesOf(m_plan));
  const double domain = m_accelerator.domain > 0 ? real(m_accelerator.domain) : devices;
  const double domains = std::max(1.0, devices / domain);
  // Stages that wait for every message of their neighbours go at the pace of the slower one.
  const bool waits = m_plan.pipeline > 1 && !overlapsMessages() && domains > 1;
  return m_constants[C::Jitter] * std::log2(domains) + (waits ? m_constants[C::StageJitter] : 0);
}

void StepAssembly::onceParts() {
  const double before = m_parts.sum();
  const double slowKernels = m_configuration.deterministic ? m_constants[C::Deterministic] - 1 : 0;
  const double slower = slowKernels * (m_parts.compute + m_parts.inefficiency);
  m_parts.inefficiency += slower;
  m_parts.imbalance += stretch() * before;
  m_waiting = slower + stretch() * before;
  dataParts();
  m_parts.optimizer = optimizerSeconds();
  m_hostOnce = m_constants[C::StepFloor] + m_microbatches * m_constants[C::MicrobatchFloor];
  m_parts.host += m_hostOnce;
}

/// Elements of the fullest stage.
StepAssembly::OwnedElements StepAssembly::owned() const {
  OwnedElements most;
  for (std::size_t stage = 0; stage < m_layers.size(); ++stage) {
    const auto [dense, experts] = m_stageLayers[stage];
    double here = dense * m_dense.parameters + experts * m_expert.parameters;
    const bool first = stage == 0;
    const bool last = returnsThroughStages(m_configuration.schedule) ? first : stage + 1 == m_layers.size();
    const bool both = first && last && !m_model.tiedEmbeddings;
    const double ends = first || last ? m_head.parameters * (both ? 2 : 1) : 0;
    here += ends + (last ? real(m_configuration.predictedTokens) * m_counts.projection.parameters : 0);
    const double theirs = experts * m_expert.expertParameters;
    if (here + theirs > most.parameters + most.experts) most = {here, theirs, ends};
  }
  return most;
}

void StepAssembly::dataParts() {
  if (m_configuration.adapters) return;
  const auto [parameters, experts, ends] = owned();
  const double endBytes = real(sizeOf(m_plan.parameters).bytes);
  // Embedding and head stay in 16 bits.
  const double parameterBytes = gathersEightBits(m_configuration) ? 1 : endBytes;
  const double gradientBytes = m_configuration.fullPrecisionSums ? 4 : 2;
  const auto price = [&](TrainingGroup group, Collectives kind, double bytes) {
    return m_prices->seconds(group, kind, bytes);
  };
  double seconds = 0;
  if (m_plan.zero == 0) {
    seconds = price(TrainingGroup::Data, Collectives::AllReduce, gradientBytes * parameters) +
              price(TrainingGroup::ExpertData, Collectives::AllReduce, gradientBytes * experts);
  } else if (!gathersEveryMicrobatch()) {
    seconds =
        price(TrainingGroup::Shards, Collectives::ReduceScatter, gradientBytes * parameters) +
        price(TrainingGroup::Shards, Collectives::AllGather, parameterBytes * (parameters - ends) + endBytes * ends) +
        price(TrainingGroup::ExpertData, Collectives::ReduceScatter, gradientBytes * experts) +
        price(TrainingGroup::ExpertData, Collectives::AllGather, parameterBytes * experts);
    if (m_plan.replicas > 1) {
      seconds += price(TrainingGroup::Replicas, Collectives::AllReduce,
                       gradientBytes * parameters * real(m_plan.replicas) / real(m_plan.data));
    }
  }
  double lastBackward = 0;  // on the slowest stage
  for (const StageCost& stage : m_stages) lastBackward = std::max(lastBackward, stage.backward.seconds());
  const bool overlaps = m_configuration.overlaps && m_configuration.overlapsData;
  const double hidden = overlaps ? hiddenShare(C::DataHidden) : 0;
  const double most = overlaps ? 1.35 * lastBackward : 0;
  m_dataOnce = m_hidesNoBackward ? seconds * (1 - hidden) : std::max(seconds * (1 - hidden), seconds - most);
  if (m_configuration.ownerBroadcasts > 1) {
    m_dataOnce += m_constants[C::OwnerBroadcast] * m_configuration.ownerBroadcasts;
  }
  expose(ExposedAxis::Data, m_dataOnce);
  if (m_model.tiedEmbeddings && m_plan.pipeline > 1) {
    m_endsOnce = price(TrainingGroup::Ends, Collectives::AllReduce, gradientBytes * m_head.parameters);
    expose(ExposedAxis::Pipeline, m_endsOnce);
  }
}

/// AdamW reads and writes 34 bytes of every parameter that a device owns, and clipping and scaling read 10 of every
/// gradient.
double StepAssembly::optimizerSeconds() const {
  if (m_configuration.adapters) return 0;
  const OwnedElements own = owned();
  const double shards = m_plan.zero > 0 ? real(membersOf(TrainingGroup::Shards, m_plan)) : 1;
  const double expertShards = m_plan.zero > 0 ? real(membersOf(TrainingGroup::ExpertData, m_plan)) : 1;
  const double mine = own.parameters / shards + own.experts / expertShards;
  const double gradients = m_plan.zero >= 2 ? mine : own.parameters + own.experts;
  const double bandwidth = m_accelerator.memoryBandwidth * m_constants[C::MemoryShare];
  return (34 * mine + 10 * gradients) / bandwidth * m_constants[C::Optimizer];
}

}  // namespace p2::inline training
