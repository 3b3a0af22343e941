// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/step_estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "training/detail/layer_cost.h"
#include "training/detail/model_work.h"
#include "training/detail/step_interval.h"
#include "training/step_detail.h"

namespace p2::inline training {
namespace {

using C = StepConstant;
using Collectives = CommunicationKind;

double real(std::int64_t value) { return static_cast<double>(value); }

/// Costs of one microbatch on the stages, in parts.
struct StageCost {
  PassCost forward;
  PassCost backward;
  PassCost again;
  double overload = 0;         ///< seconds that uneven loads of experts add to both passes, host included
  double overloadKernels = 0;  ///< of these, in kernels
  double gatherShown = 0;      ///< FSDP's gathers and scatters that computation does not hide
  [[nodiscard]] double slot() const { return forward.seconds() + backward.seconds() + again.seconds() + gatherShown; }
  void add(const LayerCost& layer, double count, double recomputed) {
    forward += layer.forward.times(count);
    backward += layer.backward.times(count);
    again += layer.again.times(recomputed);
  }
};

/// Puts one step together.
class StepAssembly {
 public:
  explicit StepAssembly(const CostContext& context)
      : m_context(context),
        m_model(context.model),
        m_configuration(context.configuration),
        m_plan(context.configuration.plan),
        m_constants(context.constants),
        m_microbatches(real(m_plan.microbatches)) {
    m_dense = costOfLayer(context, false);
    if (m_model.experts > 0) {
      m_expert = costOfLayer(context, true);
      m_evenExpert = context.configuration.expertImbalance > 1 ? evenLayer(context) : m_expert;
    }
    m_head = costOfHead(context);
    m_layers = stageLayers(m_model, m_configuration);
    buildStages();
  }

  /// After estimate().
  StepDetail detail() const {
    StepDetail made;
    made.schedule = m_configuration.schedule;
    made.chunks = chunks();
    made.microbatches = m_plan.microbatches;
    for (std::size_t i = 0; i < m_stages.size(); ++i) made.stages.push_back(stageDetail(m_stages[i], m_layers[i]));
    made.dataExposed = m_dataOnce;
    made.endsExposed = m_endsOnce;
    made.waiting = m_waiting;
    made.optimizer = m_parts.optimizer;
    made.host = m_hostOnce;
    return made;
  }

  /// Proof that prices of 0 give a lower bound for all prices: exposed parts are never negative; a gather and
  /// the computation that hides it take max + (1 − hidden) · min of both, which grows with either; slots of stages grow
  /// with their communication, and the schedule's bound with the slots. (A played zero-bubble schedule need not.)
  double secondsAtLeast() {
    computeParts();
    pipelineParts(true);
    onceParts();
    return m_parts.sum();
  }

  StepEstimate estimate(double enough) {
    StepEstimate made;
    const ModelWork work = workOf(m_model, m_configuration);
    made.flop = work.products + work.in16Bits;
    const double devices = real(devicesOf(m_plan));
    const double peak = peakOf(m_context.accelerator, m_configuration.precision);
    computeParts();
    // All parts are positive, so that sums without some of them are lower bounds. The schedule costs most to find.
    const StepParts before = m_parts;
    if (m_parts.sum() <= enough) {
      const bool bounds = std::isfinite(enough) && m_plan.pipeline > 1;
      pipelineParts(bounds);
      onceParts();
      if (bounds && m_parts.sum() <= enough) {
        m_parts = before;
        pipelineParts(false);
        onceParts();
      }
    }
    made.parts = m_parts;
    made.seconds = m_parts.sum();
    made.mfu = made.flop / (devices * peak * made.seconds);
    made.tokensPerSecond = real(m_plan.globalBatch) * real(m_plan.sequence) / made.seconds;
    return made;
  }

 private:
  static LayerCost evenLayer(const CostContext& context) {
    TrainingConfiguration even = context.configuration;
    even.expertImbalance = 1;
    return costOfLayer({context.model, even, context.accelerator, context.prices, context.constants}, true);
  }

  void computeParts() {
    const ModelWork work = workOf(m_model, m_configuration);
    const double peak = peakOf(m_context.accelerator, m_configuration.precision);
    m_parts.compute = (work.products / peak + work.in16Bits / m_context.accelerator.bf16) / real(devicesOf(m_plan));
    microbatchParts();
  }

  void buildStages() {
    std::int64_t first = 0;
    for (std::size_t stage = 0; stage < m_layers.size(); ++stage) {
      StageCost cost;
      const std::int64_t last = first + m_layers[stage];
      const auto experts = real(expertLayers(m_model, last) - expertLayers(m_model, first));
      const double dense = real(m_layers[stage]) - experts;
      const double share =
          m_configuration.recomputedLayers == 0 || m_layers[stage] == 0
              ? 1
              : real(std::min(m_configuration.recomputedLayers, m_layers[stage])) / real(m_layers[stage]);
      cost.add(m_dense, dense, dense * share);
      cost.add(m_expert, experts, experts * share);
      cost.overload += experts * (m_expert.forward.busy + m_expert.backward.busy - m_evenExpert.forward.busy -
                                  m_evenExpert.backward.busy);
      cost.overloadKernels += experts * (m_expert.forward.kernels + m_expert.backward.kernels -
                                         m_evenExpert.forward.kernels - m_evenExpert.backward.kernels);
      cost.gatherShown = dense * gatherShown(m_dense) + experts * gatherShown(m_expert);
      if (stage + 1 == m_layers.size()) cost.add(m_head, 1, 0);
      m_stages.push_back(cost);
      first = last;
    }
  }

  [[nodiscard]] bool isSharded() const { return m_plan.zero == 3 && m_plan.data * m_plan.context > m_plan.replicas; }

  /// A gather before each pass of a layer and a scatter after the backward one, of which the shorter of communication
  /// and computation is mostly hidden. Under a pipeline parameters stay gathered through a step.
  [[nodiscard]] double gatherShown(const LayerCost& layer) const {
    if (!isSharded() || m_plan.pipeline > 1) return 0;
    const auto& prices = m_context.prices;
    const double bandwidth = m_configuration.family == FrameworkFamily::DeepSpeed ? m_constants[C::ShardBandwidth] : 1;
    const double parameterBytes = real(sizeOf(m_plan.parameters).bytes);
    const double gradientBytes = real(sizeOf(m_plan.gradients).bytes);
    const auto sharded = [&](Collectives kind, double size) {
      return (prices.seconds(TrainingGroup::Shards, kind, size * layer.parameters) +
              prices.seconds(TrainingGroup::ExpertData, kind, size * layer.expertParameters)) /
             bandwidth;
    };
    const double gather = sharded(Collectives::AllGather, parameterBytes);
    double scatter =
        m_configuration.adapters || m_plan.accumulate ? 0 : sharded(Collectives::ReduceScatter, gradientBytes);
    if (m_plan.replicas > 1) {
      scatter += prices.seconds(TrainingGroup::Replicas, Collectives::AllReduce,
                                gradientBytes * layer.parameters / (real(m_plan.data) / real(m_plan.replicas)));
    }
    const double hidden = hiddenShare(C::ShardHidden);
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
  void microbatchParts() {
    StageCost sum;
    for (const StageCost& stage : m_stages) {
      sum.forward += stage.forward;
      sum.backward += stage.backward;
      sum.again += stage.again;
      sum.gatherShown += stage.gatherShown;
      sum.overload += stage.overload;
      sum.overloadKernels += stage.overloadKernels;
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

  [[nodiscard]] StageDetail stageDetail(const StageCost& stage, std::int64_t layers) const {
    const double share = chunkShare();
    const double message = m_plan.pipeline > 1 ? messageSeconds() : 0;
    const auto pass = [&](const PassCost& cost, const PassCost& again, double weights, double gathers) {
      PassDetail made{(cost.busy - weights) * share, again.busy * share, {}};
      made.exposed = {(cost.tensor + again.tensor) * share, (cost.context + again.context) * share,
                      (cost.expert + again.expert) * share, message, gathers * share};
      return made;
    };
    const double weights = stage.backward.weights;
    return {layers, pass(stage.forward, {}, 0, stage.gatherShown / 3),
            pass(stage.backward, stage.again, weights, stage.gatherShown * 2 / 3), weights * share};
  }

  /// Chunks of layers that every stage has in its schedule.
  [[nodiscard]] std::int64_t chunks() const {
    const bool two =
        m_configuration.schedule == ScheduleKind::ZeroBubbleV || m_configuration.schedule == ScheduleKind::DualPipe;
    return two && m_plan.pipeline > 1 ? 2 : m_plan.chunks;
  }
  /// Share of a stage's layers that a pass goes through. DualPipe's chunks are whole stages.
  [[nodiscard]] double chunkShare() const {
    return m_configuration.schedule == ScheduleKind::DualPipe ? 1 : 1 / real(chunks());
  }

  /// Share of communication that computation hides.
  [[nodiscard]] double hiddenShare(C constant) const {
    return m_configuration.overlaps ? std::min(1.0, m_constants[constant]) : 0;
  }

  void expose(ExposedAxis axis, double seconds) { m_parts.exposed[static_cast<std::size_t>(axis)] += seconds; }

  /// Seconds of a message between stages, which both take part in unless an interleaved schedule overlaps it.
  [[nodiscard]] double messageSeconds() const {
    const double tokens = real(m_plan.microbatch) * real(m_plan.sequence) / real(m_plan.context);
    const double bytes = 2 * tokens * real(m_model.hidden) / real(m_plan.tensor);
    const double one = m_context.prices.seconds(TrainingGroup::Pipeline, Collectives::Shift, bytes);
    const bool overlaps = m_plan.chunks > 1 && m_configuration.family != FrameworkFamily::MegatronEager;
    return one * (overlaps ? 1 - hiddenShare(C::StageHidden) : 1);
  }

  /// `bounds`: with a lower bound of the schedule instead of the played one.
  void pipelineParts(bool bounds) {
    if (m_plan.pipeline == 1) return;
    const double message = messageSeconds();
    const bool dual = m_configuration.schedule == ScheduleKind::DualPipe;
    std::vector<std::vector<StageWork>> work;
    for (const StageCost& stage : m_stages) {
      const double share = chunkShare();
      const double slot = stage.slot();
      const double forward = stage.forward.seconds() + stage.gatherShown / 3;
      const double weights = stage.backward.weights;
      const StageWork each{forward * share + message, (slot - forward - weights) * share + message, weights * share};
      work.emplace_back(static_cast<std::size_t>(chunks()), each);
    }
    const ScheduleKind schedule = m_configuration.schedule;
    const double seconds = bounds ? pipelineLowerBound(schedule, work, m_plan.microbatches)
                                  : pipelineSeconds(schedule, work, m_plan.microbatches, 0);
    const double messages = 2 * message * real(dual ? 1 : chunks()) * m_microbatches;
    expose(ExposedAxis::Pipeline, messages);
    m_parts.bubble = std::max(0.0, seconds - messages - m_microbatches * m_slowest);
  }

  void onceParts() {
    const double devices = real(devicesOf(m_plan));
    const double domain = m_context.accelerator.domain > 0 ? real(m_context.accelerator.domain) : devices;
    const double stretch = m_constants[C::Jitter] * std::log2(std::max(1.0, devices / domain));
    const double before = m_parts.sum();
    const double slowKernels = m_configuration.deterministic ? m_constants[C::Deterministic] - 1 : 0;
    const double slower = slowKernels * (m_parts.compute + m_parts.inefficiency);
    m_parts.inefficiency += slower;
    m_parts.imbalance += stretch * before;
    m_waiting = slower + stretch * before;
    dataParts();
    m_parts.optimizer = optimizerSeconds();
    m_hostOnce = m_constants[C::StepFloor] + m_microbatches * m_constants[C::MicrobatchFloor];
    m_parts.host += m_hostOnce;
  }

  /// Elements of the fullest stage on one device: of everything but routed experts, and of these.
  [[nodiscard]] std::pair<double, double> owned() const {
    double most = 0;
    double mostExperts = 0;
    std::int64_t first = 0;
    for (std::size_t stage = 0; stage < m_layers.size(); ++stage) {
      const std::int64_t last = first + m_layers[stage];
      const auto experts = real(expertLayers(m_model, last) - expertLayers(m_model, first));
      const double dense = real(m_layers[stage]) - experts;
      double here = dense * m_dense.parameters + experts * m_expert.parameters;
      const bool isEnd = stage == 0 || stage + 1 == m_layers.size();
      if (isEnd) here += m_head.parameters * (m_plan.pipeline == 1 && !m_model.tiedEmbeddings ? 2 : 1);
      const double theirs = experts * m_expert.expertParameters;
      if (here + theirs > most + mostExperts) {
        most = here;
        mostExperts = theirs;
      }
      first = last;
    }
    return {most, mostExperts};
  }

  void dataParts() {
    if (m_configuration.adapters) return;
    const auto [parameters, experts] = owned();
    const auto& prices = m_context.prices;
    const double parameterBytes = real(sizeOf(m_plan.parameters).bytes);
    const double gradientBytes = m_configuration.fullPrecisionSums ? 4 : 2;
    double seconds = 0;
    const bool everyMicrobatch = isSharded() && m_plan.pipeline == 1;
    if (m_plan.zero == 0) {
      seconds = prices.seconds(TrainingGroup::Data, Collectives::AllReduce, gradientBytes * parameters) +
                prices.seconds(TrainingGroup::ExpertData, Collectives::AllReduce, gradientBytes * experts);
    } else if (!everyMicrobatch) {
      seconds = prices.seconds(TrainingGroup::Shards, Collectives::ReduceScatter, gradientBytes * parameters) +
                prices.seconds(TrainingGroup::Shards, Collectives::AllGather, parameterBytes * parameters) +
                prices.seconds(TrainingGroup::ExpertData, Collectives::ReduceScatter, gradientBytes * experts) +
                prices.seconds(TrainingGroup::ExpertData, Collectives::AllGather, parameterBytes * experts);
      if (m_plan.replicas > 1) {
        seconds += prices.seconds(TrainingGroup::Replicas, Collectives::AllReduce,
                                  gradientBytes * parameters * real(m_plan.replicas) / real(m_plan.data));
      }
    }
    const double lastBackward = m_stages.back().backward.seconds();
    const double hidden = hiddenShare(C::DataHidden);
    const double most = m_configuration.overlaps ? 1.35 * lastBackward : 0;
    m_dataOnce = std::max(seconds * (1 - hidden), seconds - most);
    if (m_configuration.ownerBroadcasts > 1) {
      m_dataOnce += m_constants[C::OwnerBroadcast] * m_configuration.ownerBroadcasts;
    }
    expose(ExposedAxis::Data, m_dataOnce);
    if (m_model.tiedEmbeddings && m_plan.pipeline > 1) {
      m_endsOnce = prices.seconds(TrainingGroup::Ends, Collectives::AllReduce, gradientBytes * m_head.parameters);
      expose(ExposedAxis::Pipeline, m_endsOnce);
    }
  }

  /// AdamW reads and writes 34 bytes of every parameter that a device owns, and clipping and scaling read 10 of every
  /// gradient.
  [[nodiscard]] double optimizerSeconds() const {
    if (m_configuration.adapters) return 0;
    const auto [parameters, experts] = owned();
    const double shards = m_plan.zero > 0 ? real(membersOf(TrainingGroup::Shards, m_plan)) : 1;
    const double expertShards = m_plan.zero > 0 ? real(membersOf(TrainingGroup::ExpertData, m_plan)) : 1;
    const double mine = parameters / shards + experts / expertShards;
    const double gradients = m_plan.zero >= 2 ? mine : parameters + experts;
    const double bandwidth = m_context.accelerator.memoryBandwidth * m_constants[C::MemoryShare];
    return (34 * mine + 10 * gradients) / bandwidth * m_constants[C::Optimizer];
  }

  const CostContext& m_context;
  const ModelShape& m_model;
  const TrainingConfiguration& m_configuration;
  const TrainingPlan& m_plan;
  const StepConstants& m_constants;
  double m_microbatches;
  LayerCost m_dense;
  LayerCost m_expert;
  LayerCost m_evenExpert;  ///< with the same tokens for all experts
  LayerCost m_head;
  std::vector<std::int64_t> m_layers;
  std::vector<StageCost> m_stages;
  double m_slowest = 0;
  double m_mean = 0;
  double m_dataOnce = 0;
  double m_endsOnce = 0;
  double m_waiting = 0;
  double m_hostOnce = 0;
  StepParts m_parts;
};

/// In the next wider type of numbers where the accelerator has no products of the wanted one.
TrainingConfiguration withKnownNumbers(TrainingConfiguration run, const TrainingAccelerator& accelerator) {
  if (run.precision == ProductPrecision::Fp4 && accelerator.fp4 <= 0) run.precision = ProductPrecision::Fp8;
  if (run.precision == ProductPrecision::Fp8 && accelerator.fp8 <= 0) run.precision = ProductPrecision::Bf16;
  return run;
}

StepEstimate withInterval(StepEstimate estimate, const CostContext& context) {
  const StepInterval interval = intervalOf(context.model, context.configuration, context.accelerator);
  estimate.low = estimate.seconds * interval.low;
  estimate.high = estimate.seconds * interval.high;
  return estimate;
}

}  // namespace

double stepSecondsWithoutCommunication(const ModelShape& model, const TrainingConfiguration& configuration,
                                       const TrainingAccelerator& accelerator, const TrainingConstants& constants) {
  const TrainingConfiguration run = withKnownNumbers(configuration, accelerator);
  const StepConstants values(constants, constants.numbersFor(accelerator.generation, run));
  const NoCommunication none;
  const CostContext context{model, run, accelerator, none, values};
  return StepAssembly(context).secondsAtLeast();
}

Result<StepEstimate> estimateStep(const ModelShape& model, const TrainingConfiguration& configuration,
                                  const TrainingAccelerator& accelerator, const CommunicationPrices& prices,
                                  const TrainingConstants& constants, double enough) {
  P2_TRY(checkConfiguration(model, configuration));
  const TrainingConfiguration run = withKnownNumbers(configuration, accelerator);
  const StepConstants values(constants, constants.numbersFor(accelerator.generation, run));
  const CostContext context{model, run, accelerator, prices, values};
  return withInterval(StepAssembly(context).estimate(enough), context);
}

Result<StepDetail> detailStep(const ModelShape& model, const TrainingConfiguration& configuration,
                              const TrainingAccelerator& accelerator, const CommunicationPrices& prices,
                              const TrainingConstants& constants) {
  P2_TRY(checkConfiguration(model, configuration));
  const TrainingConfiguration run = withKnownNumbers(configuration, accelerator);
  const StepConstants values(constants, constants.numbersFor(accelerator.generation, run));
  const CostContext context{model, run, accelerator, prices, values};
  StepAssembly assembly(context);
  const StepEstimate estimate = withInterval(assembly.estimate(std::numeric_limits<double>::infinity()), context);
  StepDetail detail = assembly.detail();
  detail.estimate = estimate;
  return detail;
}

}  // namespace p2::inline training
