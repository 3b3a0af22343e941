// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/frameworks/megatron_recompute.h"

namespace p2::inline training {

BrokenReason megatronModulesOf(const ModelShape& model, const TrainingConfiguration& configuration) {
  const RecomputedModules& modules = configuration.recomputedModules;
  if (modules.has(RecomputedModule::LatentUpProjection) && model.kvRank == 0) {
    return "recomputation of mla_up_proj needs latent attention, which the model does not have";
  }
  if (modules.has(RecomputedModule::ExpertActivation) && model.experts == 0) {
    return "recomputation of moe_act needs experts, which the model does not have";
  }
  return std::nullopt;
}

std::vector<RecomputedModules> megatronModulesSearched(const ModelShape& model) {
  using enum RecomputedModule;
  if (model.kvRank > 0 && model.experts > 0) {
    return {{ExpertActivation},
            {LatentUpProjection},
            {LayerNorm, LatentUpProjection, ExpertActivation},
            {LayerNorm, LatentUpProjection, Experts}};
  }
  if (model.kvRank > 0) return {{LatentUpProjection}, {LayerNorm, LatentUpProjection, Mlp}};
  if (model.experts > 0) return {{ExpertActivation}, {LayerNorm, ExpertActivation}, {Experts}};
  return {{Mlp}};
}

void addMegatronRecomputation(const TrainingConfiguration& configuration, LaunchLines& lines) {
  if (configuration.recomputation == RecomputeKind::Selective) {
    lines.value("recompute-granularity", "selective");
    if (!configuration.recomputedModules.empty()) {
      lines.values("recompute-modules", configuration.recomputedModules.names());
    }
  }
  if (configuration.recomputation != RecomputeKind::Full) return;
  const bool all = configuration.recomputedLayers == 0;
  lines.value("recompute-granularity", "full")
      .value("recompute-method", all ? "uniform" : "block")
      .value("recompute-num-layers", all ? 1 : configuration.recomputedLayers);
}

}  // namespace p2::inline training
