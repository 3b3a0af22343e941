// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "training/accelerator_data.h"
#include "training/frameworks.h"

namespace p2::inline training {

/// Choices that a user has made; the others are searched.
struct FixedChoices {
  std::optional<std::int64_t> tensor;
  std::optional<std::int64_t> pipeline;
  std::optional<std::int64_t> chunks;
  std::optional<std::int64_t> context;
  std::optional<std::int64_t> expert;
  std::optional<std::int64_t> expertTensor;
  std::optional<std::int64_t> data;
  std::optional<std::int64_t> replicas;
  std::optional<std::int64_t> zero;
  std::optional<std::int64_t> microbatch;
  std::optional<bool> sequenceParallel;
  std::optional<bool> tensorOverlap;            ///< of tensor parallelism with sequence parallelism
  std::optional<bool> expertOverlap;            ///< of dispatch and combine, with ep > 1
  std::optional<std::int64_t> predictedTokens;  ///< of multi-token prediction; none unless fixed
  std::optional<bool> fusedAttention;
  std::optional<bool> fp8Parameters;  ///< of fp8 in Megatron-Core: parameters are kept and gathered in 8 bits
  std::optional<ContextCollective> contextKind;
  std::optional<bool> reshard;  ///< of ZeRO 3 under a pipeline: whether parameters are gathered in every microbatch
  std::optional<ExpertDispatch> dispatch;  ///< of mixtures
  std::optional<GraphScope> graphs;
  std::optional<RecomputeChoice> recomputation;
  std::optional<ScheduleKind> schedule;
  std::optional<StageLayout> layout;  ///< as stageLayoutFrom() reads it; empty: even
  friend bool operator==(const FixedChoices&, const FixedChoices&) = default;
};

/// Whether a configuration can keep its parameters in 8 bits or in 16.
[[nodiscard]] bool hasParametersInFp8(const TrainingConfiguration& configuration);
/// Whether a pipeline shards parameters, so that they are gathered in every microbatch or once.
[[nodiscard]] bool hasGatherChoice(const TrainingPlan& plan);

/// From "tp=8,pp=4,recompute=full": the keys tp, pp, vpp, cp, ep, etp, dp, replicas, zero, microbatch, sp (yes or no),
/// tp_overlap and ep_overlap (yes or no), fp8_param_gather and fused_attention (yes or no), mtp (tokens of multi-token
/// prediction), cp_kind (ring, allgather, a2a or a2a+p2p), dispatch (of experts: alltoall, deepep or hybridep), graphs
/// (kernels that CUDA graphs start: none, routing, layers or all), recompute (recomputeChoiceFrom()), schedule, reshard
/// (yes or no: parameters of ZeRO 3 are gathered in every microbatch of a pipeline, or once a step) and layers (of
/// every virtual stage, as in 3+14*4+2, or even); tensor, pipeline, context, expert, data and sequence stand for tp,
/// pp, cp, ep, dp and sp. The error names the key and its values.
[[nodiscard]] Result<FixedChoices> fixedChoicesFrom(std::string_view text);
/// Whether a text is meant for fixedChoicesFrom(), with mistakes or without: a line that sets a degree.
[[nodiscard]] bool isChoiceList(std::string_view text);
/// "tp 2 × pp 3 does not divide 128 devices; change these degrees", of the fixed degrees; empty if they do.
[[nodiscard]] std::string undividedDegrees(const FixedChoices& fixed, std::int64_t devices);
/// The text that fixedChoicesFrom() reads back to the same choices.
[[nodiscard]] std::string fixedChoicesText(const FixedChoices& choices);
/// The choices that a configuration has made: fixed so, a search finds that configuration alone.
[[nodiscard]] FixedChoices choicesOf(const TrainingConfiguration& configuration);

/// Where a visited configuration is in the walk, and among those that differ only in their recomputation.
struct RecomputationVisit {
  bool again = false;      ///< not the first of them, which has no recomputation, unless it is fixed
  std::int64_t after = 0;  ///< how many of them follow
  std::int64_t place = 0;  ///< choices of degrees and microbatch before this one
};

/// Where a walk goes after a visit.
enum class WalkNext { On, PastRecomputations, Stop };

/// The configurations of one framework for a model on a number of devices.
struct SearchSpace {
  const ModelShape& model;  ///< resolved and checked
  std::int64_t devices = 1;
  std::int64_t batch = 1;  ///< sequences of a step
  std::int64_t sequence = 1;
  ProductPrecision precision = ProductPrecision::Bf16;
  const TrainingFramework& framework;
  const FixedChoices& fixed;
  /// Every configuration is runnableOn() it and overlaps tensor parallelism where searchesTensorOverlap(). Null: as
  /// stated, without that overlap. (Overlap of experts takes memory, so that it is visited with it and without.)
  const TrainingAccelerator* accelerator = nullptr;
  bool withoutOverlapToo = false;  ///< a configuration that overlaps tensor parallelism is visited without it as well

  /// Calls `visit` for every combination of degrees that multiply to the devices, in a fixed order: dp outermost in the
  /// answer, with microbatch, schedule, ZeRO stage, overlaps, recomputation and layout of stages innermost. Rules of
  /// the framework are not checked: where it has no layout for that number of stages, the even one is visited. Stops
  /// when `visit` returns false. Combinations whose batch does not divide are not made, but counted. Returns how many
  /// combinations were counted so.
  [[nodiscard]] std::int64_t forEach(const std::function<bool(const TrainingConfiguration&)>& visit) const;
  /// Like the function above without the innermost choice: `visit` gets all layouts of a configuration, at least one;
  /// it has the first of them.
  using Visit =
      std::function<WalkNext(const TrainingConfiguration&, const std::vector<StageLayout>&, const RecomputationVisit&)>;
  [[nodiscard]] std::int64_t forEachWithLayouts(const Visit& visit) const;
  /// Choices of degrees and microbatch in such a walk, one above the last RecomputationVisit::place.
  [[nodiscard]] std::int64_t countPlaces() const;
};

}  // namespace p2::inline training
