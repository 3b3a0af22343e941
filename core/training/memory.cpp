// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/memory.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "training/detail/activation_memory.h"
#include "training/detail/memory_stages.h"
#include "training/detail/number_bytes.h"
#include "training/detail/real.h"
#include "training/detail/state_memory.h"

namespace p2::inline training {
namespace {

constexpr double kAnyMemory = std::numeric_limits<double>::infinity();

/// Bytes of a logit while the loss is computed: in 16 bits, and in fp32 for the softmax. A fused loss keeps the logits
/// and their gradient; PyTorch's own holds logits, their log-softmax in fp32 and the gradients of both
/// (torchtitan/components/loss.py and Transformers' loss_utils.py compute the loss of `logits.float()`), in 16 bits
/// where a compiler fuses the conversion.
double logitBytes(const TrainingConfiguration& configuration) {
  // Transformer Engine's loss writes the gradient over the logits (transformer_engine/pytorch/cross_entropy.py).
  if (configuration.fusedLoss && configuration.family == FrameworkFamily::MegatronCore) return kHalf;
  if (configuration.fusedLoss || configuration.family == FrameworkFamily::Jax) return 2 * kHalf;
  if (configuration.family != FrameworkFamily::Fsdp) return kHalf + kSingle;
  return configuration.compiled ? 4 * kHalf : 2 * (kHalf + kSingle);
}

/// Parameters that DeepSpeed's ZeRO-3 gathers at most: stage3_max_live_parameters and stage3_prefetch_bucket_size, its
/// defaults.
constexpr double kLiveParameters = 1e9 + 5e8;

/// Buckets in which DeepSpeed reduces gradients and gathers parameters: 5·10⁸ elements each (its default).
double bucketBytes(const TrainingConfiguration& configuration) {
  const bool deepSpeed =
      configuration.family == FrameworkFamily::MegatronEager || configuration.family == FrameworkFamily::DeepSpeed;
  return deepSpeed && configuration.plan.zero > 0 ? 2 * kHalf * 5e8 : 0;
}

/// Bytes on a device of a stage at one moment of a step, without the states.
struct Moment {
  double activations = 0;
  double buffers = 0;
  [[nodiscard]] double total() const { return activations + buffers; }
};

/// Parameters of a layer, and its activations for one microbatch: those that are kept, and those before recomputation.
struct LayerBytes {
  LayerBytes(const ModelShape& model, const TrainingConfiguration& configuration)
      : widths(model, configuration),
        parameters(model, configuration.plan),
        dense(layerActivations(model, configuration, false)),
        experts(model.experts > 0 ? layerActivations(model, configuration, true) : 0),
        wholeDense(wholeLayerActivations(model, configuration, false)),
        wholeExperts(model.experts > 0 ? wholeLayerActivations(model, configuration, true) : 0),
        restoredDense(recomputedActivations(model, configuration, false, true)),
        restoredExperts(model.experts > 0 ? recomputedActivations(model, configuration, true, true) : 0) {}

  LayerWidths widths;
  LayerParameters parameters;
  double dense;
  double experts;
  double wholeDense;
  double wholeExperts;
  double restoredDense;  ///< of recomputed modules, while the backward pass of a layer needs their outputs
  double restoredExperts;
};

/// Adds up the moments at which a stage may hold most.
class StageMoments {
 public:
  StageMoments(const ModelShape& model, const TrainingConfiguration& configuration, const LayerBytes& each,
               const MemoryStage& stage, const OwnParameters& own)
      : m_model(model),
        m_configuration(configuration),
        m_plan(configuration.plan),
        m_each(each),
        m_stage(stage),
        m_own(own),
        m_widths(each.widths),
        m_layers(std::max(1.0, stage.dense + stage.experts)) {
    m_kept = keptActivations();
  }

  [[nodiscard]] Moment fullest() const {
    const Moment backward = inBackward();
    const Moment loss = m_stage.last ? atLoss() : Moment{};
    return loss.total() > backward.total() ? loss : backward;
  }

 private:
  /// Activations of the microbatches in flight.
  [[nodiscard]] double keptActivations() const {
    const double layers = m_stage.dense + m_stage.experts;
    if (layers == 0) return 0;
    const double kept = m_stage.denseInFlight * m_each.dense + m_stage.expertsInFlight * m_each.experts;
    if (m_configuration.recomputation != RecomputeKind::Full || m_configuration.recomputedLayers <= 0) return kept;
    const double recomputed = std::min(layers, real(m_configuration.recomputedLayers));
    const double inFlight = m_stage.denseInFlight + m_stage.expertsInFlight;
    return recomputed / layers * kept + inFlight / layers * (layers - recomputed) * wholeLayer();
  }

  [[nodiscard]] double wholeLayer() const { return m_stage.experts > 0 ? m_each.wholeExperts : m_each.wholeDense; }

  [[nodiscard]] double layerParameters() const { return (m_own.all() - m_own.ends) / m_layers; }

  /// PyTorch's FSDP gathers on a single device, too: its parameters are in fp32, and layers compute in 16 bits.
  [[nodiscard]] bool gathers() const {
    const bool sharded = m_plan.data / m_plan.replicas * m_plan.context > 1;
    return m_plan.zero >= 3 && (sharded || m_configuration.family == FrameworkFamily::Fsdp);
  }

  /// Of ZeRO-3: embedding and head through the step; two layers, the one that computes and the next, or all where they
  /// are not sharded again.
  [[nodiscard]] double gathered() const {
    if (!gathers()) return 0;
    if (!m_plan.reshard) return kHalf * m_own.all();
    if (m_configuration.family == FrameworkFamily::DeepSpeed) return kHalf * std::min(m_own.all(), kLiveParameters);
    return kHalf * (m_own.ends + std::min(m_layers, 2.0) * layerParameters());
  }

  /// Gradients of a layer before they are scattered: in 16 bits, and the copies in the number type of the reduction, of
  /// this layer and of the one before, whose ReduceScatter still runs.
  [[nodiscard]] double scattering() const {
    // DeepSpeed's ZeRO-3 reduces in buckets (bucketBytes()), XLA scatters one matrix after the other.
    if (!gathers() || m_configuration.adapters || m_configuration.family != FrameworkFamily::Fsdp) return 0;
    const double reduced = m_configuration.fullPrecisionSums ? kSingle : kHalf;
    const double own = m_plan.accumulate ? 0 : kHalf;
    return (own + std::min(m_layers, 2.0) * reduced) * layerParameters();
  }

  /// Buffers of a stage at any moment.
  [[nodiscard]] double standing() const {
    double bytes = gathered() + std::min(bucketBytes(m_configuration), 2 * kHalf * m_own.all());
    if (m_plan.pipeline > 1) bytes += 2 * kHalf * m_widths.tokens * m_widths.hidden;
    return bytes;
  }

  /// The backward pass of a layer: recomputed where nothing is kept, the gradient inside the MLP, and the input that
  /// sequence parallelism gathers.
  [[nodiscard]] Moment inBackward() const {
    Moment moment{m_kept, standing() + scattering()};
    if (m_configuration.recomputation == RecomputeKind::Full && m_stage.dense + m_stage.experts > 0) {
      moment.activations += wholeLayer();
    }
    moment.activations +=
        std::max(m_stage.dense > 0 ? m_each.restoredDense : 0, m_stage.experts > 0 ? m_each.restoredExperts : 0);
    moment.buffers += kHalf * m_widths.tokens * std::max((m_widths.gates + 1) * m_widths.mlp, m_widths.hidden);
    if (m_widths.hidden < real(m_model.hidden)) moment.buffers += kHalf * m_widths.tokens * real(m_model.hidden);
    return moment;
  }

  /// The loss: logits and their gradients, and the gradient of the head before it is added to the sum.
  [[nodiscard]] Moment atLoss() const {
    const double vocabulary = vocabularyShare(m_model, m_plan);
    const bool whole = m_configuration.wholeEnds || (m_configuration.family == FrameworkFamily::Fsdp &&
                                                     m_plan.sequenceParallel == SequenceParallelism::None);
    // The loss of every predicted token keeps its own until the backward pass.
    const double logits = vocabulary * (whole ? real(m_plan.tensor) : 1) * (1 + real(m_configuration.predictedTokens));
    Moment moment{m_kept, standing() + logitBytes(m_configuration) * m_widths.tokens * logits};
    if (!m_configuration.adapters) moment.buffers += kHalf * vocabulary * real(m_model.hidden);
    if (m_widths.hidden < real(m_model.hidden)) moment.buffers += kHalf * m_widths.tokens * real(m_model.hidden);
    return moment;
  }

  const ModelShape& m_model;
  const TrainingConfiguration& m_configuration;
  const TrainingPlan& m_plan;
  const LayerBytes& m_each;
  const MemoryStage& m_stage;
  const OwnParameters& m_own;
  const LayerWidths& m_widths;
  double m_layers;
  double m_kept = 0;
};

TrainingMemory memoryOf(const ModelShape& model, const TrainingConfiguration& configuration, const LayerBytes& layer,
                        const MemoryStage& stage) {
  const OwnParameters own = parametersOf(model, configuration, layer.parameters, stage);
  TrainingMemory made;
  made.stage = stage.number;
  addStates(configuration, own, made);
  const Moment moment = StageMoments(model, configuration, layer, stage, own).fullest();
  made.activations = moment.activations;
  made.buffers = moment.buffers;
  // The backward pass frees activations as it makes gradients, so that the peak has all of one or all of the other.
  if (makesGradients(configuration)) {
    if (moment.total() > made.gradients) {
      made.gradients = 0;
    } else {
      made.activations = made.buffers = 0;
    }
  }
  return made;
}

}  // namespace

std::vector<TrainingMemory> stageMemory(const ModelShape& model, const TrainingConfiguration& configuration) {
  std::vector<TrainingMemory> memory;
  const LayerBytes layer(model, configuration);
  for (const MemoryStage& stage : memoryStages(model, configuration)) {
    memory.push_back(memoryOf(model, configuration, layer, stage));
  }
  return memory;
}

std::vector<TrainingMemory> peakMemories(const ModelShape& model, const TrainingConfiguration& configuration,
                                         const std::vector<StageLayout>& layouts, FullestStages& stages,
                                         double enough) {
  std::vector<TrainingMemory> peaks;
  const LayerBytes layer(model, configuration);
  for (const std::vector<MemoryStage>& ofLayout : stages.of(configuration, layouts)) {
    TrainingMemory& peak = peaks.emplace_back();
    double most = -1;
    for (const MemoryStage& stage : ofLayout) {
      const TrainingMemory each = memoryOf(model, configuration, layer, stage);
      if (each.total() > most) peak = each;
      most = std::max(most, each.total());
      if (most >= enough) break;
    }
  }
  return peaks;
}

TrainingMemory peakMemory(const ModelShape& model, const TrainingConfiguration& configuration) {
  FullestStages stages(model);
  return peakMemories(model, configuration, {configuration.layersPerStage}, stages, kAnyMemory).front();
}

double defaultMemoryReserve(double deviceMemory) { return deviceMemory >= 60e9 ? 6e9 : deviceMemory / 10; }

}  // namespace p2::inline training
