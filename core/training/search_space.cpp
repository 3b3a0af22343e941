// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/search_space.h"

#include <algorithm>
#include <map>

#include "base/numbers.h"
#include "training/detail/search_choices.h"
#include "training/step_estimate.h"

namespace p2::inline training {
namespace {

/// More tokens than this on every context rank; shorter parts are never worth their communication.
constexpr std::int64_t kLeastContextTokens = 1024;
constexpr std::int64_t kMostTensor = 64;
constexpr std::int64_t kMostContext = 64;
constexpr std::int64_t kMostMicrobatch = 32;

/// Walks the space one choice after another.
class Walk {
 public:
  /// Without a visit it only counts places.
  Walk(const SearchSpace& space, const SearchSpace::Visit& visit)
      : m_space(space),
        m_fixed(space.fixed),
        m_framework(space.framework),
        m_visit(visit),
        m_recomputations(recomputationChoices(space)) {
    m_made.family = m_framework.family;
    m_made.precision = space.precision;
    m_made.predictedTokens = m_fixed.predictedTokens.value_or(0);
    m_made.plan.sequence = space.sequence;
    m_made.plan.globalBatch = space.batch;
    m_made.plan.devices = space.devices;
  }

  std::int64_t run() {
    const bool alone = m_framework.sequenceParallel == SequenceParallelism::None || m_framework.tensorAlone;
    const bool tensor = alone || m_framework.sequenceParallel != SequenceParallelism::None;
    for (const std::int64_t each : tensor ? divisorChoices(m_fixed.tensor, m_space.devices, kMostTensor) : one()) {
      if (m_space.devices % each != 0) continue;
      m_made.plan.tensor = each;
      context();
    }
    return m_undivided;
  }
  [[nodiscard]] std::int64_t places() const { return m_place; }

 private:
  static std::vector<std::int64_t> one() { return {1}; }
  TrainingPlan& plan() { return m_made.plan; }

  void context() {
    const std::int64_t rest = m_space.devices / plan().tensor;
    const bool splits = !m_framework.contextKinds.empty();
    const std::int64_t most = splits ? std::min(kMostContext, m_space.sequence / kLeastContextTokens) : 1;
    for (const std::int64_t each : divisorChoices(m_fixed.context, rest, std::max<std::int64_t>(1, most))) {
      if (m_stopped) return;
      if (rest % each != 0 || (each > 1 && !splits)) continue;
      plan().context = each;
      if (each == 1) {
        plan().contextCollective = ContextCollective::Ring;
        pipeline();
        continue;
      }
      for (const ContextCollective kind : m_framework.contextKinds) {
        if (m_fixed.contextKind.value_or(kind) != kind) continue;
        plan().contextCollective = kind;
        pipeline();
      }
    }
  }

  void pipeline() {
    const std::int64_t rest = m_space.devices / (plan().tensor * plan().context);
    const std::int64_t most = m_framework.pipelines ? m_space.model.layers : 1;
    for (const std::int64_t each : divisorChoices(m_fixed.pipeline, rest, most)) {
      if (m_stopped) return;
      if (rest % each != 0 || each > most) continue;
      plan().pipeline = each;
      plan().data = rest / each;
      if (m_fixed.data && *m_fixed.data != plan().data) continue;
      experts();
    }
  }

  void experts() {
    const bool splits = m_space.model.experts > 0 && m_framework.experts;
    const std::int64_t stage = plan().tensor * plan().context * plan().data;
    for (const std::int64_t each :
         splits ? divisorChoices(m_fixed.expert, m_space.model.experts, m_space.model.experts) : one()) {
      if (m_stopped) return;
      if (m_fixed.expert.value_or(each) != each) continue;
      if (stage % each != 0) continue;
      plan().expert = each;
      for (const std::int64_t inside : expertTensors(splits)) {
        if (stage % (each * inside) != 0) continue;
        plan().expertTensor = inside;
        sequenceParallel();
      }
    }
  }

  std::vector<std::int64_t> expertTensors(bool splits) {
    if (m_fixed.expertTensor && (splits || *m_fixed.expertTensor == 1)) return {*m_fixed.expertTensor};
    if (m_fixed.expertTensor) return {};
    if (!splits || plan().tensor == 1 || !m_framework.expertTensor) return one();
    return {1, plan().tensor};
  }

  void sequenceParallel() {
    std::vector<SequenceParallelism> kinds;
    if (plan().tensor > 1 && m_framework.sequenceParallel != SequenceParallelism::None) {
      kinds.push_back(m_framework.sequenceParallel);
    }
    if (plan().tensor == 1 || m_framework.tensorAlone) kinds.push_back(SequenceParallelism::None);
    for (const SequenceParallelism kind : kinds) {
      const bool splits = kind != SequenceParallelism::None;
      if (m_fixed.sequenceParallel && plan().tensor > 1 && *m_fixed.sequenceParallel != splits) continue;
      plan().sequenceParallel = kind;
      replicas();
    }
  }

  void replicas() {
    if (m_space.batch % plan().data != 0) {
      ++m_undivided;
      return;
    }
    std::vector<std::int64_t> counts = m_framework.replicates ? divisorChoices({}, plan().data, plan().data) : one();
    if (m_fixed.replicas) counts = {*m_fixed.replicas};
    for (const std::int64_t each : counts) {
      if (plan().data % each != 0) continue;
      if (m_space.model.experts > 0 && expertCopies(plan()) % each != 0) continue;
      plan().replicas = each;
      microbatches();
    }
  }

  void microbatches() {
    const std::int64_t each = m_space.batch / plan().data;
    for (const std::int64_t size : divisorChoices(m_fixed.microbatch, each, kMostMicrobatch)) {
      if (m_stopped) return;
      if (each % size != 0) {
        ++m_undivided;
        continue;
      }
      plan().microbatch = size;
      plan().microbatches = each / size;
      if (m_visit) chunks();
      ++m_place;
    }
  }

  void chunks() {
    for (const std::int64_t each : chunkChoices()) {
      if (m_stopped) return;
      plan().chunks = each;
      for (const ScheduleKind kind : schedules()) {
        m_made.schedule = kind;
        states(layouts());
      }
    }
  }

  [[nodiscard]] std::vector<std::int64_t> chunkChoices() {
    const std::int64_t layers = m_space.model.layers;
    const std::int64_t stages = plan().pipeline;
    if (stages == 1 || !m_framework.interleaves) {
      return m_fixed.chunks.value_or(1) == 1 ? one() : std::vector<std::int64_t>{};
    }
    if (m_fixed.chunks) return {*m_fixed.chunks};
    if (m_fixed.layout && !m_fixed.layout->empty()) {
      return {std::max<std::int64_t>(1, static_cast<std::int64_t>(m_fixed.layout->size()) / stages)};
    }
    return m_framework.layouts == nullptr ? divisorChoices({}, layers / stages, layers / stages)
                                          : chunkCounts(layers, stages);
  }

  /// Layouts for the chosen stages and chunks.
  const std::vector<StageLayout>& layouts() {
    auto& known = m_layouts[{plan().pipeline, plan().chunks, m_made.schedule}];
    if (!known.empty()) return known;
    TrainingConfiguration made = m_made;
    made.layersPerStage.clear();
    if (m_fixed.layout && plan().pipeline > 1) {
      known.push_back(statedLayout(m_space.model, made, *m_fixed.layout));
    } else if (m_framework.layouts != nullptr && plan().pipeline > 1) {
      known = m_framework.layouts(m_space.model, made);
    }
    if (known.empty()) known.emplace_back();
    return known;
  }

  /// A schedule that is fixed needs a pipeline, unless it is the one that every configuration without a pipeline has.
  std::vector<ScheduleKind> schedules() {
    const ScheduleKind fixed = m_fixed.schedule.value_or(ScheduleKind::OneF1B);
    if (plan().pipeline == 1) {
      return fixed == ScheduleKind::OneF1B ? std::vector{fixed} : std::vector<ScheduleKind>{};
    }
    std::vector<ScheduleKind> kinds(m_framework.schedules.begin(), m_framework.schedules.end());
    if (m_fixed.schedule) std::erase_if(kinds, [&](ScheduleKind each) { return each != fixed; });
    return kinds;
  }

  void states(const std::vector<StageLayout>& offered) {
    for (const bool overlaps : tensorOverlaps()) {
      plan().tensorOverlap = overlaps;
      statesOfOverlap(offered);
    }
  }

  /// No step with this overlap is predicted longer than without it, so that one of both is enough.
  std::vector<bool> tensorOverlaps() {
    const bool splits = plan().sequenceParallel != SequenceParallelism::None;
    if (m_fixed.tensorOverlap) return {splits && *m_fixed.tensorOverlap};
    if (m_space.accelerator == nullptr) return {false};
    const bool offered = searchesTensorOverlap(m_framework, m_space.model, m_made, *m_space.accelerator);
    if (offered && m_space.withoutOverlapToo) return {true, false};
    return {offered};
  }

  void statesOfOverlap(const std::vector<StageLayout>& offered) {
    for (const std::int64_t stage : m_framework.zeroStages) {
      if (m_fixed.zero && *m_fixed.zero != stage) continue;
      plan().zero = stage;
      for (const bool overlaps : expertOverlaps()) {
        m_state = m_made;
        m_state.plan.expertOverlap = overlaps;
        gathered(offered);
        if (m_stopped) return;
      }
    }
  }

  void setKernels(TrainingConfiguration& made) const {
    const bool known = m_space.accelerator != nullptr && m_framework.applyExpertKernels != nullptr;
    if (m_space.model.experts > 0 && known) m_framework.applyExpertKernels(made, m_space.accelerator->generation);
    made.dispatch = m_fixed.dispatch.value_or(made.dispatch);
    made.graphs = m_fixed.graphs.value_or(made.graphs);
  }

  std::vector<bool> expertOverlaps() {
    if (m_fixed.expertOverlap) return {plan().expert > 1 && *m_fixed.expertOverlap};
    if (searchesExpertOverlap(m_framework, m_space.model, m_made)) return {true, false};
    return {false};
  }

  /// By the framework's default, then gathered once a step.
  void gathered(const std::vector<StageLayout>& offered) {
    TrainingConfiguration& made = m_state;
    if (m_framework.applyDefaults != nullptr) m_framework.applyDefaults(made);
    made.fusedAttention = m_fixed.fusedAttention.value_or(made.fusedAttention);
    if (m_fixed.fp8Parameters) {
      if (!hasParametersInFp8(made)) return;
      made.fp8Parameters = *m_fixed.fp8Parameters;
    }
    made.layersPerStage = offered.front();
    recomputed(made, offered);
    if (!m_framework.gathersOnce || !hasGatherChoice(made.plan)) return;
    made.plan.reshard = false;
    made.plan.accumulate = true;
    recomputed(made, offered);
  }

  void recomputed(const TrainingConfiguration& plain, const std::vector<StageLayout>& offered) {
    if (m_fixed.reshard && hasGatherChoice(plain.plan) && *m_fixed.reshard != plain.plan.reshard) return;
    findRecomputations(plain);
    TrainingConfiguration& made = m_recomputed;
    made = plain;
    auto left = static_cast<std::int64_t>(m_tried.size());
    for (const RecomputeChoice* each : m_tried) {
      if (m_stopped) return;
      // The choices that setKernels() and makeRunnableOn() change.
      made.dispatch = plain.dispatch;
      made.graphs = plain.graphs;
      made.precision = plain.precision;
      made.fusedAttention = plain.fusedAttention;
      made.fp8Parameters = plain.fp8Parameters;
      made.microScales = plain.microScales;
      setRecomputation(made, *each);
      setKernels(made);
      if (m_space.accelerator != nullptr) makeRunnableOn(made, *m_space.accelerator);
      const WalkNext next = m_visit(made, offered, {each != m_tried.front(), --left, m_place});
      m_stopped = next == WalkNext::Stop;
      if (next == WalkNext::PastRecomputations) return;
    }
  }

  /// Fills in m_tried for a configuration: the overlap of experts, where the search turned it on, excludes some.
  void findRecomputations(const TrainingConfiguration& plain) {
    m_tried.clear();
    const bool searched = plain.plan.expertOverlap && !m_fixed.expertOverlap;
    if (searched) m_overlapping = plain;
    for (const RecomputeChoice& each : m_recomputations) {
      if (searched) {
        setRecomputation(m_overlapping, each);
        if (!searchesExpertOverlap(m_framework, m_space.model, m_overlapping)) continue;
      }
      m_tried.push_back(&each);
    }
  }

  const SearchSpace& m_space;
  const FixedChoices& m_fixed;
  const TrainingFramework& m_framework;
  const SearchSpace::Visit& m_visit;
  std::vector<RecomputeChoice> m_recomputations;
  std::vector<const RecomputeChoice*> m_tried;  ///< of m_recomputations, with the visited configuration
  TrainingConfiguration m_overlapping;
  // Kept from visit to visit for their memory alone.
  TrainingConfiguration m_state;       ///< without a choice of recomputation
  TrainingConfiguration m_recomputed;  ///< with one
  std::map<std::tuple<std::int64_t, std::int64_t, ScheduleKind>, std::vector<StageLayout>> m_layouts;
  TrainingConfiguration m_made;
  std::int64_t m_undivided = 0;
  std::int64_t m_place = 0;
  bool m_stopped = false;
};

}  // namespace

std::int64_t SearchSpace::forEachWithLayouts(const Visit& visit) const { return Walk(*this, visit).run(); }

std::int64_t SearchSpace::countPlaces() const {
  const Visit none;
  Walk walk(*this, none);
  (void)walk.run();
  return walk.places();
}

std::int64_t SearchSpace::forEach(const std::function<bool(const TrainingConfiguration&)>& visit) const {
  return forEachWithLayouts(
      [&](const TrainingConfiguration& each, const std::vector<StageLayout>& layouts, const auto&) {
        TrainingConfiguration made = each;
        for (const StageLayout& layout : layouts) {
          made.layersPerStage = layout;
          if (!visit(made)) return WalkNext::Stop;
        }
        return WalkNext::On;
      });
}

}  // namespace p2::inline training
