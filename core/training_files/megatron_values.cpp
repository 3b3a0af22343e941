// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/megatron_values.h"

#include <algorithm>
#include <array>

#include "base/counted.h"

namespace p2::inline training_files {
namespace {

/// The prediction has no dropout: a share above 0 is without effect.
bool dropout(std::string_view value, const char* name, StatedTraining& stated) {
  const auto share = numberOf(value);
  if (!share || *share < 0 || *share > 1) return false;
  if (*share > 0) stated.ignored.emplace_back(name);
  return true;
}

bool endCounts(std::string_view value, std::int64_t& layers) {
  if (isNone(value)) return true;
  const auto on = flagOf(value);
  if (on) layers = *on ? 1 : 0;
  return on.has_value();
}

}  // namespace

namespace megatron_values {

bool contextKind(std::string_view value, StatedTraining& stated) {
  constexpr std::array<std::pair<std::string_view, ContextCollective>, 4> kKinds{
      {{"p2p", ContextCollective::Ring},
       {"all_gather", ContextCollective::AllGather},
       {"a2a", ContextCollective::AllToAll},
       {"a2a+p2p", ContextCollective::Hierarchy}}};
  for (const auto& [name, kind] : kKinds) {
    if (name == value) stated.contextKind = kind;
  }
  return isNone(value) || stated.contextKind.has_value();
}

/// "2,4": AllToAll inside groups of the first, rings of the second.
bool contextSizes(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  if (value.starts_with('[')) value.remove_prefix(1);
  stated.contextInner = wholeOf(value.substr(0, value.find_first_of(", ")));
  return stated.contextInner.has_value();
}

bool innerPipeline(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) stated.order = "Megatron-LM tp-pp-dp";
  return flagOf(value).has_value();
}

bool zeroOne(std::string_view value, StatedTraining& stated) {
  const auto on = flagOf(value);
  if (on && stated.zero.value_or(0) < 2) stated.zero = *on ? 1 : 0;
  return isNone(value) || on.has_value();
}

/// Of NeMo: both shard its states.
bool optimizerName(std::string_view value, StatedTraining& stated) {
  const bool shards = value == "mcore_distributed_optim" || value == "distributed_fused_adam";
  if (shards && stated.zero.value_or(0) < 2) stated.zero = 1;
  return true;
}

bool fullySharded(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) stated.zero = 3;
  return isNone(value) || flagOf(value).has_value();
}

/// Of Megatron's own FSDP.
bool shardingStrategy(std::string_view value, StatedTraining& stated) {
  constexpr std::array<std::string_view, 4> kStages{"no_shard", "optim", "optim_grads", "optim_grads_params"};
  for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
    if (value == kStages[stage]) stated.fsdpStage = static_cast<std::int64_t>(stage);
  }
  return true;
}

bool recomputeMethod(std::string_view value, StatedTraining& stated) {
  stated.firstLayersOnly = value == "block";
  return true;
}

/// "moe_act layernorm", "[moe_act, layernorm]", ["moe_act", "layernorm"]; "[]" for none.
bool recomputedModules(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  constexpr std::string_view kBetween = "[](), \"'";
  RecomputedModules modules;
  for (std::size_t at = value.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const std::size_t end = std::min(value.find_first_of(kBetween, at), value.size());
    const std::string_view name = value.substr(at, end - at);
    at = value.find_first_not_of(kBetween, end);
    if (const auto module = recomputedModuleFrom(name); module.ok()) {
      modules.add(*module);
    } else {
      stated.assumed.push_back("recomputation of " + std::string(name) + " has no effect here");
    }
  }
  stated.recomputedModules = modules;
  return true;
}

/// Deprecated name of the module moe.
bool recomputedExperts(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) {
    stated.recomputation = RecomputeKind::Selective;
    RecomputedModules modules = stated.recomputedModules.value_or(RecomputedModules{RecomputedModule::CoreAttention});
    modules.add(RecomputedModule::Experts);
    stated.recomputedModules = modules;
  }
  return flagOf(value).has_value();
}

bool granularity(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) {
    stated.recomputation = RecomputeKind::None;
  } else {
    const auto kind = recomputeKindFrom(value);
    if (!kind.ok()) return false;
    stated.recomputation = kind.value();
  }
  return true;
}

bool selective(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) stated.recomputation = RecomputeKind::Selective;
  return flagOf(value).has_value();
}

/// Of releases to 2022: any method recomputes whole layers.
bool fullMethod(std::string_view value, StatedTraining& stated) {
  if (!isNone(value) && flagOf(value).value_or(true) && !stated.recomputation) {
    stated.recomputation = RecomputeKind::Full;
  }
  return true;
}

bool sixteenBits(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false) && !stated.precision) stated.precision = ProductPrecision::Bf16;
  return flagOf(value).has_value() || isNone(value);
}

bool eightBits(std::string_view value, StatedTraining& stated) {
  if (!isNone(value) && flagOf(value).value_or(true)) stated.precision = ProductPrecision::Fp8;
  return true;
}
/// "delayed", "tensorwise", "blockwise", "mxfp8".
bool fp8Scales(std::string_view value, StatedTraining& stated) {
  if (!isNone(value)) stated.microScales = value == "mxfp8";
  return true;
}
bool fourBits(std::string_view value, StatedTraining& stated) {
  if (!isNone(value) && flagOf(value).value_or(true)) stated.precision = ProductPrecision::Fp4;
  return true;
}

/// "bf16-mixed", "bf16_with_fp8_current_scaling_mixed", "fp8_mx", "16-mixed".
bool mixedPrecision(std::string_view value, StatedTraining& stated) {
  const bool eight = value.find("fp8") != std::string_view::npos;
  const bool four = value.find("fp4") != std::string_view::npos;
  if (eight || four) stated.precision = four ? ProductPrecision::Fp4 : ProductPrecision::Fp8;
  // Megatron-Bridge's presets keep parameters in 8 bits, but for blocks of 128 numbers with a scale
  // (src/megatron/bridge/training/mixed_precision.py).
  const bool blocks = value.find("subchannel") != std::string_view::npos || value.find("_sc") != std::string_view::npos;
  if (eight && !stated.fp8Parameters) stated.fp8Parameters = !blocks;
  if (eight && !stated.microScales) stated.microScales = value.find("mx") != std::string_view::npos;
  if (!eight && !four && value.find("16") != std::string_view::npos) stated.precision = ProductPrecision::Bf16;
  return true;
}

bool attentionBackend(std::string_view value, StatedTraining& stated) {
  if (!isNone(value)) stated.fusedAttention = value != "unfused" && value != "local";
  return true;
}

bool graphs(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  const bool on = flagOf(value).value_or(true);
  stated.graphs = !on ? GraphScope::None : value == "full_iteration" ? GraphScope::All : GraphScope::Layers;
  return true;
}

bool graphModules(std::string_view value, StatedTraining& stated) {
  if (!isNone(value) && value != kEmptyList) stated.graphModules = std::string(value);
  return true;
}

bool dispatcher(std::string_view value, StatedTraining& stated) {
  stated.flexDispatch = value == "flex";
  return true;
}

bool flexBackend(std::string_view value, StatedTraining& stated) {
  if (value == "deepep" || value == "hybridep") stated.flexBackend = expertDispatchFrom(value).value();
  return true;
}

bool deepEp(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) stated.flexBackend = ExpertDispatch::DeepEp;
  return flagOf(value).has_value() || isNone(value);
}

/// Of Transformer Engine: the loss writes the gradients of logits over them.
bool lossFusion(std::string_view value, StatedTraining& stated) {
  stated.fusedLoss = value == "te";
  return true;
}

/// A moment of Adam: "bf16", "torch.bfloat16", "fp32", "fp8".
bool momentType(std::string_view value, StatedTraining& stated) {
  if (!isNone(value)) stated.halfMoments = value.find("32") == std::string_view::npos;
  return true;
}

/// Activations that the host keeps while a device computes.
bool offloaded(std::string_view value, StatedTraining& stated) {
  if (isNone(value) || value == kEmptyList || !flagOf(value).value_or(true)) return true;
  stated.assumed.emplace_back(
      "no activations are offloaded to the host, although the file asks for it: the memory is without");
  return true;
}

/// "0:384 200B:768 400B:1152": batches by the tokens that are trained before. Most steps have the last.
bool batchSchedule(std::string_view value, StatedTraining& stated) {
  const std::size_t colon = value.rfind(':');
  const auto last = colon == std::string_view::npos ? std::nullopt : wholeOf(value.substr(colon + 1));
  if (!last || *last < 1) return isNone(value);
  stated.globalBatch = *last;
  stated.assumed.push_back("a batch of " + countedText(*last, "sequence") + ", the last that the file goes up to");
  return true;
}

/// Layers of multi-token prediction.
bool predictedTokens(std::string_view value, StatedTraining& stated) {
  const auto tokens = wholeOf(value);
  if (tokens) stated.predictedTokens = *tokens;
  return isNone(value) || (tokens && *tokens >= 0);
}

/// Training of adapters, and not of all parameters.
bool adapters(std::string_view value, StatedTraining& stated) {
  if (!isNone(value)) {
    stated.refused =
        "it trains adapters (" + std::string(value) + "), and only trainings of all parameters are planned here";
  }
  return true;
}

bool sumsIn16(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) stated.fullPrecisionSums = false;
  return flagOf(value).has_value() || isNone(value);
}

/// Of NeMo: the type in which gradients are reduced.
bool sumsIn(std::string_view value, StatedTraining& stated) {
  if (!isNone(value)) stated.fullPrecisionSums = value.find("32") != std::string_view::npos;
  return true;
}

bool positions(std::string_view value, StatedTraining& stated) {
  stated.rotary = value != "learned_absolute";
  return true;
}
bool rotary(std::string_view value, StatedTraining& stated) {
  stated.rotary = stated.rotary || flagOf(value).value_or(false);
  return true;
}

/// A learned number of every head that attention may go to.
bool softmax(std::string_view value, StatedTraining& stated) {
  stated.model.sinks = value == "learnable";
  return true;
}

/// RMSNorm has no biases.
bool norm(std::string_view value, StatedTraining& stated) {
  stated.model.matrixBiases = value == "RMSNorm" || value == "rmsnorm";
  return true;
}

/// "Et*3|(tt|)*29,m|L", or [["embedding", "decoder"], ["decoder", "loss"]] of a recipe.
bool stageLayout(std::string_view value, StatedTraining& stated) {
  if (isNone(value) || value == kEmptyList) return true;
  if (!value.starts_with('[')) {
    stated.layout = std::string(value);
    return megatronLayoutFrom(value).ok();
  }
  StageLayout layers = settings::countedInLists(value, "decoder");
  if (layers.empty()) return false;
  stated.layersOfStages = std::move(layers);
  return true;
}

/// "([0]*3+[1]*58)": dense layers first; a number: the period of layers with experts.
bool layerPattern(std::string_view value, StatedTraining& stated) {
  if (const auto step = wholeOf(value)) {
    stated.model.expertStep = *step;
    return true;
  }
  const std::size_t zeros = value.find("[0]*");
  if (zeros != std::string_view::npos) {
    const std::string_view digits = value.substr(zeros + 4);
    const auto dense = wholeOf(digits.substr(0, digits.find_first_not_of("0123456789")));
    if (dense) stated.model.denseLayers = *dense;
  }
  return true;
}

/// "127,0": tokens before and behind one that it attends to; −1 for all.
bool windowSize(std::string_view value, StatedTraining& stated) {
  while (!value.empty() && (value.front() == '(' || value.front() == '[')) value.remove_prefix(1);
  if (isNone(value)) return true;
  const auto before = wholeOf(trimmedText(value.substr(0, value.find(','))));
  if (!before || *before < -1) return false;
  stated.model.window = *before + 1;
  return true;
}

/// A period, or a list with a 1 for every layer with a window.
bool windowPattern(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  if (const auto step = wholeOf(value)) {
    stated.model.windowStep = *step;
    return *step >= 0;
  }
  if (value.find_first_not_of("[]01, ") != std::string_view::npos) return false;
  stated.model.windowLayers = std::count(value.begin(), value.end(), '1');
  return true;
}

bool attentionDropout(std::string_view value, StatedTraining& stated) {
  return dropout(value, "attention_dropout", stated);
}
bool hiddenDropout(std::string_view value, StatedTraining& stated) { return dropout(value, "hidden_dropout", stated); }

bool embeddingCounts(std::string_view value, StatedTraining& stated) {
  return endCounts(value, stated.embeddingLayers);
}
bool headCounts(std::string_view value, StatedTraining& stated) { return endCounts(value, stated.headLayers); }

}  // namespace megatron_values
}  // namespace p2::inline training_files
