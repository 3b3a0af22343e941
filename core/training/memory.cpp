// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/memory.h"

#include <algorithm>
#include <numeric>

namespace p2 {
namespace {

constexpr double kHalf = 2;    // bytes of a bf16 or fp16 number
constexpr double kSingle = 4;  // bytes of an fp32 number
/// Two numbers in fp32 of every parameter that Adam updates.
constexpr double kMoments = 2 * kSingle;
/// Logits in 16 bits, and in fp32 for the loss; PyTorch's loss also keeps their gradient.
double logitBytes(FrameworkFamily family) { return kHalf + kSingle + (family == FrameworkFamily::Fsdp ? kHalf : 0); }

double inReals(std::int64_t value) { return static_cast<double>(value); }

/// Bytes of a parameter, its gradient and its optimizer state before sharding, by framework family.
struct StateBytes {
  double parameter = 0;
  double gradient = 0;
  double optimizer = 0;
};

StateBytes stateBytesOf(const TrainingConfiguration& configuration) {
  if (configuration.adapters) return {kHalf, 0, 0};
  const bool single = configuration.fullPrecisionSums;
  switch (configuration.family) {
    case FrameworkFamily::Fsdp:
    case FrameworkFamily::Jax:
      // One fp32 copy is the parameter and the master copy. Without fp32 everything is kept in 16 bits.
      return single ? StateBytes{kSingle, kSingle, kMoments} : StateBytes{kHalf, kHalf, kMoments / 2};
    case FrameworkFamily::MegatronEager:
    case FrameworkFamily::DeepSpeed: {
      // DeepSpeed keeps the 16-bit gradient next to the fp32 sum, and an fp32 gradient of the part that it updates.
      const double part = configuration.plan.zero > 0 ? kSingle : 0;
      return {kHalf, single ? kHalf + kSingle : kHalf, kMoments + kSingle + part};
    }
    case FrameworkFamily::MegatronCore:
    case FrameworkFamily::MlPerf:
      break;
  }
  return {kHalf, single ? kSingle : kHalf, kMoments + kSingle};
}

/// Buckets in which DeepSpeed reduces gradients and gathers parameters: 5·10⁸ elements each (its default).
double bucketBytes(const TrainingConfiguration& configuration) {
  const bool deepSpeed =
      configuration.family == FrameworkFamily::MegatronEager || configuration.family == FrameworkFamily::DeepSpeed;
  return deepSpeed && configuration.plan.zero > 0 ? 2 * kHalf * 5e8 : 0;
}

/// Parameters of one device, of those that experts share out and of the others, which other devices shard.
struct OwnParameters {
  double dense = 0;
  double experts = 0;
};

/// Widths of a layer on one device, in elements of a token.
struct LayerWidths {
  LayerWidths(const ModelShape& model, const TrainingConfiguration& configuration) {
    const TrainingPlan& plan = configuration.plan;
    const double t = inReals(plan.tensor);
    const bool split = plan.sequenceParallel != SequenceParallelism::None && plan.tensor > 1;
    tokens = inReals(plan.microbatch) * inReals(plan.sequence) / inReals(plan.context);
    hidden = inReals(model.hidden) / (split ? t : 1);
    if (model.kvRank > 0) {
      const double keys = inReals(model.heads) * inReals(model.nopeSize + model.ropeSize) / t;
      const double values = inReals(model.heads) * inReals(model.valueSize) / t;
      attention = inReals(model.qRank + model.kvRank + model.ropeSize) + 2 * keys + 2 * values;
    } else {
      attention = (2 * inReals(querySize(model)) + inReals(keyValueSize(model))) / t;
    }
    // Inputs of both projections and of the product with SwiGLU; GPT keeps the input and the output of GELU.
    const double copies = model.gatedMlp ? 3 : 2;
    mlp = copies * inReals(model.ffn) / t;
    shared = copies * inReals(model.sharedFfn) / t;
    expertMlp = copies * inReals(model.expertFfn) / inReals(plan.expertTensor);
    copiesPerToken = inReals(model.expertsPerToken) * inReals(plan.expertTensor) / t;
  }

  double tokens = 0;     ///< tokens of a microbatch on a device
  double hidden = 0;     ///< hidden size, divided by tp under sequence parallelism
  double attention = 0;  ///< queries, keys, values and attention's output
  double mlp = 0;
  double shared = 0;          ///< experts that every token goes to
  double expertMlp = 0;       ///< inside an expert, for one copy of a token
  double copiesPerToken = 0;  ///< at this device's experts, of a token of this device, balanced
};

/// Bytes of attention scores that unfused attention keeps: after softmax, dropout's mask, and after dropout.
double scoreBytes(const ModelShape& model, const TrainingConfiguration& configuration, const LayerWidths& widths) {
  if (configuration.fusedAttention || configuration.recomputation == RecomputeKind::Selective) return 0;
  const TrainingPlan& plan = configuration.plan;
  return 5 * inReals(model.heads) / inReals(plan.tensor) * inReals(plan.sequence) * widths.tokens;
}

/// Bytes of a layer that is not recomputed.
double keptByLayer(const ModelShape& model, const TrainingConfiguration& configuration, bool expertLayer) {
  const LayerWidths widths(model, configuration);
  // Input and output of both norms; GPT also keeps two dropout masks of one byte.
  double bytes = (4 * kHalf + (model.gatedMlp ? 0 : 2)) * widths.hidden + kHalf * widths.attention;
  if (expertLayer) {
    const double hidden = inReals(model.hidden);
    bytes += kHalf * widths.shared + kSingle * inReals(model.experts) * widths.hidden / hidden;
    bytes += widths.copiesPerToken * kHalf * (2 * hidden + widths.expertMlp);
  } else {
    bytes += kHalf * widths.mlp;
  }
  return bytes * widths.tokens + scoreBytes(model, configuration, widths);
}

/// Layers of a stage whose microbatches are in flight at once, as a count of layers times microbatches.
double layersInFlight(const TrainingConfiguration& configuration, std::int64_t stage, double layers) {
  const TrainingPlan& plan = configuration.plan;
  const double m = inReals(plan.microbatches);
  const double after = inReals(plan.pipeline - 1 - stage);
  const double chunks = inReals(plan.chunks);
  switch (configuration.schedule) {
    case ScheduleKind::GPipe:
      return m * layers;
    case ScheduleKind::ZeroBubble2:
      return std::min(m, 2 * after + 1) * layers;
    case ScheduleKind::ZeroBubbleV:
      return std::min(m, inReals(plan.pipeline)) * layers;
    case ScheduleKind::DualPipe:
      return std::min(m, inReals(plan.pipeline) + 1) * layers;
    case ScheduleKind::OneF1B:
    case ScheduleKind::ZeroBubble1:
      break;
  }
  if (plan.chunks > 1) {
    return std::min(m * chunks, 2 * after + (chunks - 1) * inReals(plan.pipeline) + 1) * layers / chunks;
  }
  return std::min(m, after + 1) * layers;
}

/// One pipeline stage: its layers, and whether it has the embedding or the head.
struct Stage {
  std::int64_t number = 0;
  double dense = 0;    ///< layers without experts
  double experts = 0;  ///< layers with experts
  bool first = false;
  bool last = false;
};

std::vector<Stage> stagesOf(const ModelShape& model, const TrainingConfiguration& configuration) {
  const std::vector<std::int64_t> layers = stageLayers(model, configuration);
  std::vector<Stage> stages;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::int64_t experts = expertLayers(model, before + layers[i]) - expertLayers(model, before);
    stages.push_back(
        {static_cast<std::int64_t>(i), inReals(layers[i] - experts), inReals(experts), i == 0, i + 1 == layers.size()});
    before += layers[i];
  }
  return stages;
}

/// Rows of the embedding, padded so that every tensor rank has as many, a multiple of 128.
double vocabularyShare(const ModelShape& model, const TrainingPlan& plan) {
  const std::int64_t unit = 128 * plan.tensor;
  return inReals((model.vocabulary + unit - 1) / unit * 128);
}

OwnParameters parametersOf(const ModelShape& model, const TrainingPlan& plan, const Stage& stage) {
  const double t = inReals(plan.tensor);
  OwnParameters own;
  own.dense = stage.dense * inReals(denseLayerParameters(model)) / t;
  if (stage.experts > 0) {
    own.dense += stage.experts * inReals(sharedLayerParameters(model)) / t;
    own.experts = stage.experts * inReals(expertParameters(model)) * inReals(model.experts) /
                  (inReals(plan.expert) * inReals(plan.expertTensor));
  }
  const double embedding = vocabularyShare(model, plan) * inReals(model.hidden);
  if (stage.first) own.dense += embedding + inReals(model.positions) * inReals(model.hidden);
  if (stage.last && !(model.tiedEmbeddings && stage.first)) own.dense += embedding;
  return own;
}

/// Fills in parameters, gradients and optimizer states, as ZeRO shards them.
void addStates(const TrainingConfiguration& configuration, const OwnParameters& own, TrainingMemory& memory) {
  const TrainingPlan& plan = configuration.plan;
  const StateBytes bytes = stateBytesOf(configuration);
  const double copies = configuration.schedule == ScheduleKind::DualPipe ? 2 : 1;
  const double shards = std::max(1.0, inReals(plan.data) / inReals(plan.replicas) * inReals(plan.context));
  const double expertShards = std::max(1.0, inReals(expertCopies(plan)) / inReals(plan.replicas));
  const auto sum = [&](double each, bool sharded) {
    return copies * each * (sharded ? own.dense / shards + own.experts / expertShards : own.dense + own.experts);
  };
  // FSDP that reduces gradients only once a step keeps them whole; with a pipeline it does.
  const bool wholeGradients = plan.zero >= 2 && plan.accumulate;
  memory.parameters = sum(bytes.parameter, plan.zero >= 3);
  memory.gradients = sum(bytes.gradient, plan.zero >= 2 && !wholeGradients);
  memory.optimizer = sum(bytes.optimizer, plan.zero >= 1);
}

/// Parameters that ZeRO-3 has gathered at the peak: two layers, or all where they are not sharded again, and the
/// embedding or head.
double gatheredBytes(const ModelShape& model, const TrainingConfiguration& configuration, const Stage& stage,
                     const OwnParameters& own) {
  const TrainingPlan& plan = configuration.plan;
  const double shards = inReals(plan.data / plan.replicas * plan.context);
  if (plan.zero < 3 || shards <= 1) return 0;
  const double ends = (stage.first || stage.last) ? vocabularyShare(model, plan) * inReals(model.hidden) : 0;
  const double layers = std::max(1.0, stage.dense + stage.experts);
  const double whole = own.dense + own.experts;
  if (!plan.reshard) return kHalf * whole;
  // Two gathered layers, and the unsharded gradient of one.
  return kHalf * (std::min(whole, 2 * whole / layers) + ends) + kHalf * (whole / layers + ends);
}

}  // namespace

double layerActivations(const ModelShape& model, const TrainingConfiguration& configuration, bool expertLayer) {
  if (configuration.recomputation == RecomputeKind::Full) {
    const LayerWidths widths(model, configuration);
    return kHalf * widths.hidden * widths.tokens;
  }
  return keptByLayer(model, configuration, expertLayer);
}

namespace {

/// Bytes of activations at the peak of a stage.
double stageActivations(const ModelShape& model, const TrainingConfiguration& configuration, const Stage& stage) {
  const double layers = stage.dense + stage.experts;
  if (layers == 0) return 0;
  const bool experts = stage.experts > 0;
  double perLayer = (stage.dense * layerActivations(model, configuration, false) +
                     stage.experts * layerActivations(model, configuration, true)) /
                    layers;
  const double inFlight = layersInFlight(configuration, stage.number, layers);
  if (configuration.recomputation != RecomputeKind::Full) return inFlight * perLayer;
  const double whole = keptByLayer(model, configuration, experts);
  if (configuration.recomputedLayers <= 0) return inFlight * perLayer + whole;
  // Full recomputation of the first layers of a stage alone.
  const double recomputed = std::min(layers, inReals(configuration.recomputedLayers));
  return inFlight / layers * (recomputed * perLayer + (layers - recomputed) * whole) + whole;
}

double stageBuffers(const ModelShape& model, const TrainingConfiguration& configuration, const Stage& stage,
                    const OwnParameters& own) {
  const TrainingPlan& plan = configuration.plan;
  const LayerWidths widths(model, configuration);
  const double vocabulary = vocabularyShare(model, plan);
  double buffers = gatheredBytes(model, configuration, stage, own);
  // FSDP without sequence parallelism gathers the logits.
  const bool wholeLogits =
      configuration.family == FrameworkFamily::Fsdp && plan.sequenceParallel == SequenceParallelism::None;
  if (stage.last)
    buffers += logitBytes(configuration.family) * widths.tokens * vocabulary * (wholeLogits ? inReals(plan.tensor) : 1);
  buffers += std::min(bucketBytes(configuration), 2 * kHalf * (own.dense + own.experts));
  // The gradient of the largest matrix before it is added to the sum, and of the MLP's inside.
  if (!configuration.adapters && (stage.first || stage.last)) buffers += kHalf * vocabulary * inReals(model.hidden);
  buffers += kHalf * widths.tokens * std::max(widths.mlp, widths.hidden);
  if (plan.pipeline > 1) buffers += 2 * kHalf * widths.tokens * widths.hidden;
  // Sequence parallelism gathers the input of a layer.
  if (widths.hidden < inReals(model.hidden)) buffers += kHalf * widths.tokens * inReals(model.hidden);
  return buffers;
}

}  // namespace

std::vector<TrainingMemory> stageMemory(const ModelShape& model, const TrainingConfiguration& configuration) {
  std::vector<TrainingMemory> memory;
  for (const Stage& stage : stagesOf(model, configuration)) {
    const OwnParameters own = parametersOf(model, configuration.plan, stage);
    TrainingMemory& each = memory.emplace_back();
    each.stage = stage.number;
    addStates(configuration, own, each);
    each.activations = stageActivations(model, configuration, stage);
    each.buffers = stageBuffers(model, configuration, stage, own);
  }
  return memory;
}

TrainingMemory peakMemory(const ModelShape& model, const TrainingConfiguration& configuration) {
  const std::vector<TrainingMemory> stages = stageMemory(model, configuration);
  return *std::max_element(stages.begin(), stages.end(),
                           [](const auto& a, const auto& b) { return a.total() < b.total(); });
}

double defaultMemoryReserve(double deviceMemory) { return deviceMemory >= 60e9 ? 6e9 : deviceMemory / 10; }

}  // namespace p2
