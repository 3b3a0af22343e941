// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline training {

/// The part of the forward pass that is computed again in the backward pass, to save the memory of activations.
enum class RecomputeKind {
  None,
  Selective,  ///< modules of a layer: RecomputedModules
  Full,       ///< whole layers, from their inputs
};
inline constexpr std::array<std::string_view, 3> kRecomputeKinds{"none", "selective", "full"};

/// Modules of a layer that Megatron-Core recomputes (--recompute-modules; megatron/core/transformer/
/// transformer_config.py, recompute_modules). A checkpoint of attention's core, an MLP or experts keeps the module's
/// input alone. For norms, up projections and activation functions only their output is not kept.
enum class RecomputedModule {
  CoreAttention,       ///< attention without its projections (Korthikanti et al., arXiv 2205.05198)
  LayerNorm,           ///< norms that are kernels of their own: before latent attention and before experts
  LatentUpProjection,  ///< queries, keys and values of latent attention, from their low ranks
  ExpertActivation,    ///< activation function of routed experts
  Mlp,                 ///< MLP of layers without experts
  SharedExperts,
  Experts,  ///< router, dispatch, routed and shared experts, combine
};
inline constexpr std::array<std::string_view, 7> kRecomputedModules{
    "core_attn", "layernorm", "mla_up_proj", "moe_act", "mlp", "shared_experts", "moe"};

/// A set of modules.
class RecomputedModules {
 public:
  constexpr RecomputedModules() = default;
  constexpr RecomputedModules(std::initializer_list<RecomputedModule> modules) {
    for (const RecomputedModule each : modules) add(each);
  }
  constexpr void add(RecomputedModule module) { m_bits = static_cast<std::uint8_t>(m_bits | bitOf(module)); }
  [[nodiscard]] constexpr bool has(RecomputedModule module) const { return (m_bits & bitOf(module)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return m_bits == 0; }
  /// Names in the order of kRecomputedModules.
  [[nodiscard]] std::vector<std::string_view> names() const;
  friend constexpr bool operator==(const RecomputedModules&, const RecomputedModules&) = default;

 private:
  static constexpr unsigned bitOf(RecomputedModule module) { return 1U << static_cast<unsigned>(module); }
  std::uint8_t m_bits = 0;
};

/// A kind with its modules.
struct RecomputeChoice {
  RecomputeChoice() = default;
  RecomputeChoice(RecomputeKind what, RecomputedModules of = {}) : kind(what), modules(of) {}  // NOLINT
  RecomputeKind kind = RecomputeKind::None;
  /// Of Selective. Empty: the framework's own choice, in Megatron-Core attention's core.
  RecomputedModules modules;
  friend bool operator==(const RecomputeChoice&, const RecomputeChoice&) = default;
};

[[nodiscard]] std::string_view nameOf(RecomputeKind recomputation);
/// By name; the errors list the names.
[[nodiscard]] Result<RecomputeKind> recomputeKindFrom(std::string_view name);
[[nodiscard]] Result<RecomputedModule> recomputedModuleFrom(std::string_view name);
/// The name of a kind, or modules joined by "+": "moe_act+layernorm". Attention's core alone is "selective".
[[nodiscard]] Result<RecomputeChoice> recomputeChoiceFrom(std::string_view text);
/// What recomputeChoiceFrom() reads back.
[[nodiscard]] std::string recomputationName(const RecomputeChoice& recomputation);
/// "no recomputation", "full recomputation", "recomputation of layernorm and moe_act".
[[nodiscard]] std::string recomputationText(const RecomputeChoice& recomputation);

}  // namespace p2::inline training
