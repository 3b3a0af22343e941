// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the parts of a step, put together.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "training/detail/kernel_counts.h"
#include "training/step_detail.h"

namespace p2::inline training {

/// Costs of one microbatch on the stages, in parts.
struct StageCost {
  PassCost forward;
  PassCost backward;
  PassCost again;
  double overload = 0;         ///< seconds that uneven loads of experts add to both passes, host included
  double overloadKernels = 0;  ///< the part of it in kernels
  double gatherShown = 0;      ///< FSDP's gathers and scatters that computation does not hide
  [[nodiscard]] double slot() const { return forward.seconds() + backward.seconds() + again.seconds() + gatherShown; }
  void add(const LayerCost& layer, double count, double recomputed) {
    forward += layer.forward.times(count);
    backward += layer.backward.times(count);
    again += layer.again.times(recomputed);
  }
  StageCost& operator+=(const StageCost& other) {
    forward += other.forward;
    backward += other.backward;
    again += other.again;
    overload += other.overload;
    overloadKernels += other.overloadKernels;
    gatherShown += other.gatherShown;
    return *this;
  }
};

/// Numbers of layers, and of heads behind them: one, and one more for every further token that is predicted.
struct LayerRange {
  double dense = 0;       ///< layers without experts
  double experts = 0;     ///< layers with experts
  double recomputed = 1;  ///< share of them that is recomputed
  double heads = 0;
  friend bool operator==(const LayerRange&, const LayerRange&) = default;
};

/// Puts the steps of one configuration together, for several placements and layouts of its stages: kernels are counted
/// once, communication once for each placement. Model, configuration, accelerator and prices outlive it; the
/// configuration's own layout is not read.
class StepAssembly {
 public:
  StepAssembly(const ModelShape& model, const TrainingConfiguration& configuration,
               const TrainingAccelerator& accelerator, const StepConstants& constants, const KernelCounts& counts,
               const CommunicationPrices& prices);
  void setPrices(const CommunicationPrices& prices);
  void share(PlayedSchedules& played) { m_played = &played; }
  /// chunkLayers() of the configuration with a layout. O(virtual stages).
  void setLayout(const StageLayout& chunks);

  /// A lower bound of estimate() for every layout of the stages and all prices above the given ones. O(1).
  [[nodiscard]] double secondsOfAnyLayout() const;

  /// A lower bound of secondsAtLeast() with the layout, which need not be set: the schedule without messages, and what
  /// each step costs the host. O(virtual stages).
  [[nodiscard]] double scheduleAtLeast(const StageLayout& chunks) const;

  // After setLayout().

  /// The time under the prices with pipelineLowerBound() in place of the played schedule. Without communication it is a
  /// lower bound for all prices: exposed parts are never negative; a gather and the computation that hides it take
  /// max + (1 − hidden) · min of both, which grows with either; slots of stages grow with their communication, and the
  /// schedule's bound with the slots. (A played zero-bubble schedule need not.)
  [[nodiscard]] double secondsAtLeast();
  /// Without interval. See estimateStep() for `enough`; a step whose bounds are below it is exact to `exactTo` as well.
  [[nodiscard]] StepEstimate estimate(double enough, double exactTo = 0);
  /// After estimate().
  [[nodiscard]] StepDetail detail() const;
  /// What kernels lose against the peak, by cause. Uneven loads of experts are not among them.
  [[nodiscard]] KernelLosses losses() const;

 private:
  void clear();
  void computeParts();
  [[nodiscard]] double stepOf(double schedule) const;
  [[nodiscard]] StageCost costOf(const LayerRange& range) const;
  /// A chunk's layers and heads. Multi-token prediction adds its own to the last chunk.
  [[nodiscard]] LayerRange rangeOf(double dense, double experts, double recomputed, bool last) const;
  [[nodiscard]] bool isSharded() const { return m_plan.zero == 3 && m_plan.data * m_plan.context > m_plan.replicas; }
  /// Under a pipeline parameters stay gathered through a step where they are not sharded again.
  [[nodiscard]] bool copiesEveryMicrobatch() const {
    return m_plan.zero == 3 && (m_plan.pipeline == 1 || m_plan.reshard);
  }
  [[nodiscard]] bool gathersEveryMicrobatch() const { return isSharded() && copiesEveryMicrobatch(); }
  void addShardCopies(LayerCost& layer) const;
  [[nodiscard]] double gatherShown(const LayerCost& layer) const;
  void microbatchParts();
  [[nodiscard]] StageDetail stageDetail(std::size_t stage) const;
  [[nodiscard]] std::int64_t chunks() const;
  [[nodiscard]] double hiddenShare(StepConstant constant) const;
  void expose(ExposedAxis axis, double seconds) { m_parts.exposed[static_cast<std::size_t>(axis)] += seconds; }
  [[nodiscard]] bool overlapsMessages() const;
  [[nodiscard]] double messageSeconds() const;
  /// Work of stages and chunks, valid until the next call.
  [[nodiscard]] const std::vector<std::vector<StageWork>>& work();
  /// Costs of the chunks of a stage; empty where stages have one.
  [[nodiscard]] std::span<const StageCost> chunksOf(std::size_t stage) const {
    return std::span(m_chunks).subspan(stage * m_chunksOfStage, m_chunksOfStage);
  }
  [[nodiscard]] double stretch() const;
  void pipelineParts(bool bounds, double mostBubble);
  void onceParts();
  /// Elements on one device.
  struct OwnedElements {
    double parameters = 0;  ///< of everything but routed experts
    double experts = 0;     ///< of routed experts
    double ends = 0;        ///< of embedding and head, which are among `parameters`
  };
  [[nodiscard]] OwnedElements owned() const;
  void dataParts();
  [[nodiscard]] double optimizerSeconds() const;

  const ModelShape& m_model;
  const TrainingConfiguration& m_configuration;
  const TrainingPlan& m_plan;
  const TrainingAccelerator& m_accelerator;
  const StepConstants& m_constants;
  const CommunicationPrices* m_prices;
  PlayedSchedules* m_played = nullptr;  ///< null outside a search
  double m_microbatches;
  KernelCounts m_counts;
  LayerCost m_dense;
  LayerCost m_expert;
  LayerCost m_evenExpert;
  LayerCost m_head;
  double m_denseGathers = 0;
  double m_expertGathers = 0;
  std::optional<TrainingConfiguration> m_even;  ///< with an even load of the experts, where it is uneven
  // They follow from the layout.
  std::vector<std::int64_t> m_layers;  ///< by stage
  std::vector<StageCost> m_stages;
  std::vector<StageCost> m_chunks;                       ///< by stage and chunk, of stages with several
  std::size_t m_chunksOfStage = 0;                       ///< 0 for stages of one
  std::vector<std::pair<double, double>> m_stageLayers;  ///< without experts and with them
  std::vector<std::vector<StageWork>> m_work;
  double m_slowest = 0;
  double m_mean = 0;
  double m_dataOnce = 0;
  double m_endsOnce = 0;
  double m_waiting = 0;
  double m_hostOnce = 0;
  bool m_hidesNoBackward = false;  ///< in bounds: a slower backward pass must not make the step shorter
  StepParts m_parts;
};

}  // namespace p2::inline training
