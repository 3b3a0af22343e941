// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/system.h"
#include "training/frameworks.h"

namespace p2::inline training_files {

/// A setting that changes the configuration or the model.
struct StatedValue {
  std::string key;      ///< as the file writes it
  std::string value;    ///< as the file writes it
  std::string meaning;  ///< "tp", "microbatch", "layers"
};

/// The choices that a framework's own configuration states. No value: the file leaves it to the framework's default.
struct StatedTraining {
  std::string format;                            ///< "Megatron-LM arguments"
  const TrainingFramework* framework = nullptr;  ///< whose rules and defaults apply
  std::optional<std::int64_t> tensor = {};       ///< degrees; −1 for the remaining devices
  std::optional<std::int64_t> context = {};
  std::optional<std::int64_t> contextInner = {};  ///< groups of a hierarchical context
  std::optional<std::int64_t> pipeline = {};
  std::optional<std::int64_t> chunks = {};         ///< virtual stages of a device
  std::optional<std::int64_t> chunkLayers = {};    ///< layers of a virtual stage, instead of chunks
  std::int64_t embeddingLayers = 0;                ///< layers that the embedding counts as in the first stage
  std::int64_t headLayers = 0;                     ///< layers that the head counts as in the last stage
  std::optional<std::string> layout = {};          ///< layers of all stages, as --pipeline-model-parallel-layout has it
  std::optional<StageLayout> layersOfStages = {};  ///< listed, of every virtual stage
  bool byCost = false;                             ///< stages take layers by their costs (nanotron)
  std::optional<std::int64_t> expert = {};
  std::optional<std::int64_t> expertTensor = {};
  std::optional<std::int64_t> data = {};    ///< with replicas
  std::optional<std::int64_t> shards = {};  ///< data / replicas; −1 for the remaining devices
  std::optional<std::int64_t> replicas = {};
  bool slices = false;                              ///< the next four are the degrees of data parallelism
  std::optional<std::int64_t> replicasInside = {};  ///< a slice (node); −1 for its remaining devices
  std::optional<std::int64_t> replicasAcross = {};  ///< slices; −1 for the remaining ones
  std::optional<std::int64_t> shardsInside = {};
  std::optional<std::int64_t> shardsAcross = {};
  std::optional<std::int64_t> zero = {};
  std::optional<std::int64_t> fsdpStage = {};  ///< ZeRO stage of Megatron's own FSDP, where zero says that it is on
  std::optional<bool> reshard = {};            ///< parameters of ZeRO 3 after the forward pass
  std::optional<bool> sequenceParallel = {};
  std::optional<ContextCollective> contextKind = {};
  std::optional<std::string> order = {};   ///< of ranks, a name of frameworkOrders()
  std::optional<std::string> matrix = {};  ///< the placement that a rank file gives, as ParallelismMatrix::text()

  std::optional<std::int64_t> globalBatch = {};  ///< sequences
  std::optional<std::int64_t> microbatch = {};
  std::optional<std::int64_t> microbatches = {};  ///< each replica of the model takes them one after another
  std::optional<std::int64_t> accumulation = {};  ///< gradient accumulation around these; multiplies them
  std::optional<std::int64_t> localBatch = {};    ///< sequences of a data parallel rank (TorchTitan)
  std::optional<double> deviceBatch = {};         ///< sequences of a device in one gradient accumulation (MaxText)
  std::optional<std::int64_t> microbatchTokens = {};
  std::optional<std::int64_t> stepTokens = {};
  std::optional<std::int64_t> sequence = {};

  std::optional<ProductPrecision> precision = {};
  std::optional<RecomputeKind> recomputation = {};
  std::optional<RecomputedModules> recomputedModules = {};  ///< of selective recomputation; empty: none
  std::optional<std::int64_t> recomputedLayers = {};
  bool firstLayersOnly = false;  ///< recomputedLayers counts the first layers of a stage
  std::optional<ScheduleKind> schedule = {};
  std::optional<std::int64_t> firstStageLayers = {};
  std::optional<std::int64_t> lastStageLayers = {};
  std::optional<bool> overlapsData = {};  ///< gradients and parameters of data parallelism, with computation
  std::optional<bool> tensorOverlap = {};
  std::optional<bool> expertOverlap = {};
  std::optional<bool> fusedAttention = {};
  std::optional<bool> compiled = {};  ///< by torch.compile
  std::optional<GraphScope> graphs = {};
  std::optional<std::string> graphModules = {};    ///< parts of layers in CUDA graphs, as Megatron-LM names them
  bool flexDispatch = false;                       ///< tokens go to experts by DeepEP or HybridEP
  std::optional<ExpertDispatch> flexBackend = {};  ///< which of both
  std::optional<bool> padsExperts = {};
  std::optional<bool> deterministic = {};
  std::optional<bool> fullPrecisionSums = {};
  std::optional<bool> stretches = {};             ///< rotary positions, as in Llama 3.1
  std::optional<double> ropeFactor = {};          ///< by which, where they are
  std::optional<double> ropeMagnitudeOfAll = {};  ///< mscale_all_dim of YaRN
  std::optional<bool> halfMoments = {};
  std::optional<bool> fp8Parameters = {};            ///< they are kept and gathered in 8 bits
  std::optional<bool> microScales = {};              ///< of 8 bits: one for every 32 numbers
  std::optional<bool> fusesLoss = {};                ///< softmax and loss are fused
  std::optional<std::int64_t> predictedTokens = {};  ///< of multi-token prediction
  bool fusedLoss = false;                            ///< in one kernel of Transformer Engine, where they are

  std::optional<std::int64_t> nodes = {};
  std::optional<std::int64_t> devicesOfNode = {};
  std::optional<std::int64_t> processes = {};  ///< devices, if the file states them as one number

  bool rotary = false;                         ///< positions are computed, not learned
  std::optional<std::int64_t> positions = {};  ///< learned ones, unless rotary
  ModelShape model = {};                       ///< the stated parts of the shape; layers 0 if none is
  std::string modelName = {};                  ///< "llama3-70b", "meta-llama/Llama-3.1-8B"

  std::vector<StatedValue> understood = {};
  std::vector<std::string> assumed = {};  ///< sentences
  std::vector<std::string> ignored = {};  ///< settings of the framework that the model of a step does not use
  std::vector<std::string> unknown = {};  ///< settings that are not known to be the framework's
  std::vector<std::string> open = {};     ///< sentences about values that count and that the file does not hold
  std::vector<std::string> skipped = {};  ///< sentences about parts that were not read
  std::string refused = {};               ///< why it is no training that can be priced; empty: it can

  /// Devices of the launch; no value if the file does not say how many.
  [[nodiscard]] std::optional<std::int64_t> devices() const;
};

/// Reads a framework's configuration: Megatron-LM arguments (a script, YAML), NeMo and Megatron-Bridge (YAML, recipes),
/// TorchTitan (TOML, options, its Python registry), DeepSpeed (JSON, Megatron-DeepSpeed scripts), FSDP (keyword
/// arguments, accelerate's YAML), nanotron, MaxText, NxD Training and Primus YAML. The kind is that whose settings are
/// found most. `function`: of a Python file with several configurations. `path`: where the text is from; the imports of
/// a Python file are read from its checkout. Errors: text of none of these kinds (with them), broken syntax (with the
/// line), a value out of range (with its key).
[[nodiscard]] Result<StatedTraining> readTraining(std::string_view text, std::string_view function = {},
                                                  const std::string& path = {});
/// From a file; "recipes.py:llama3_8b" chooses a function. Errors name the file.
[[nodiscard]] Result<StatedTraining> readTrainingFile(const std::string& path);

/// Values that a command adds to a file's.
struct GivenSizes {
  std::optional<std::int64_t> batch = {};     ///< sequences of a step
  std::optional<std::int64_t> sequence = {};  ///< tokens
};

/// The configuration that a statement means for a model on a system. Given sizes take the place of values that the file
/// does not state, and must equal those that it does. Values that neither states are added to `stated.assumed`. Errors:
/// degrees that do not multiply to the devices, batches that do not divide (with ones that would), virtual stages that
/// do not divide the layers, a size that differs, a value that the file leaves open.
[[nodiscard]] Result<TrainingConfiguration> configurationOf(StatedTraining& stated, const ModelShape& model,
                                                            const System& system, const GivenSizes& given);

}  // namespace p2::inline training_files
