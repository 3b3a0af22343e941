// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/detail/training_changes.h"

#include <algorithm>

#include "base/counted.h"
#include "base/numbers.h"

namespace p2::inline training_answer {
namespace {

constexpr std::int64_t kMostMicrobatch = 32;

std::string instead(std::string_view key, std::int64_t value, std::int64_t before) {
  return std::string(key) + " " + std::to_string(value) + " instead of " + std::to_string(before);
}

class Changes {
 public:
  Changes(const TrainingFramework& framework, const ModelShape& model, const TrainingAccelerator& accelerator,
          const TrainingConfiguration& mine, const ChangeVisit& visit)
      : m_framework(framework),
        m_model(model),
        m_accelerator(accelerator),
        m_mine(mine),
        m_visit(visit),
        m_devices(devicesOf(mine.plan)) {}

  void run() {
    degree("tp", &TrainingPlan::tensor, m_devices);
    if (m_framework.pipelines) degree("pp", &TrainingPlan::pipeline, std::min(m_devices, m_model.layers));
    if (!m_framework.contextKinds.empty()) degree("cp", &TrainingPlan::context, m_devices);
    if (m_model.experts > 0 && m_framework.experts) {
      degree("ep", &TrainingPlan::expert, m_model.experts);
      if (m_framework.expertTensor) degree("etp", &TrainingPlan::expertTensor, m_mine.plan.tensor);
    }
    virtualStages();
    layouts();
    microbatches();
    states();
    switches();
  }

 private:
  const TrainingPlan& plan() const { return m_mine.plan; }

  /// Makes batches and virtual stages follow from changed degrees; visits nothing where they cannot.
  void offer(const std::string& key, const std::string& choice, TrainingConfiguration changed) {
    TrainingPlan& made = changed.plan;
    const std::int64_t used = made.tensor * made.context * made.pipeline;
    if (m_devices % used != 0) return;
    made.data = m_devices / used;
    if (made.data % made.replicas != 0) made.replicas = 1;
    if (made.globalBatch % (made.data * made.microbatch) != 0) return;
    made.microbatches = made.globalBatch / (made.data * made.microbatch);
    if (made.tensor == 1) {
      made.sequenceParallel = SequenceParallelism::None;
      made.tensorOverlap = false;
    } else if (plan().tensor == 1) {
      made.sequenceParallel = m_framework.sequenceParallel;
    }
    if (made.expert == 1) made.expertOverlap = false;
    if (made.context == 1) made.contextCollective = ContextCollective::Ring;
    if (made.context > 1 && plan().context == 1) made.contextCollective = m_framework.contextKinds.front();
    if (made.pipeline == 1) {
      made.chunks = 1;
      changed.schedule = ScheduleKind::OneF1B;
    } else if (plan().pipeline == 1) {
      changed.schedule = m_framework.schedules.front();
    }
    const bool newStages =
        made.pipeline != plan().pipeline || made.chunks != plan().chunks || changed.schedule != m_mine.schedule;
    if (newStages) changed.layersPerStage.clear();
    // Overlaps and kernels stay as they are.
    TrainingConfiguration defaults = changed;
    if (m_framework.applyDefaults != nullptr) m_framework.applyDefaults(defaults);
    changed.plan.reshard = defaults.plan.reshard;
    changed.plan.accumulate = defaults.plan.accumulate;
    visitLayouts(key, choice, changed, newStages);
    // Virtual stages that no longer divide: the change is offered without them too.
    if (made.chunks > 1 && made.pipeline != plan().pipeline) {
      changed.plan.chunks = 1;
      visitLayouts(key, choice, changed, newStages);
    }
  }

  /// New stages come with every layout that the framework offers for them.
  void visitLayouts(const std::string& key, const std::string& choice, TrainingConfiguration changed, bool newStages) {
    const bool lays = newStages && changed.plan.pipeline > 1 && m_framework.layouts != nullptr;
    const auto layouts = lays ? m_framework.layouts(m_model, changed) : std::vector<StageLayout>();
    for (const StageLayout& layout : layouts) {
      changed.layersPerStage = layout;
      m_visit(key, choice, changed);
    }
    if (layouts.empty()) m_visit(key, choice, changed);
  }

  /// Other layers of the same stages.
  void layouts() {
    if (plan().pipeline == 1 || m_framework.layouts == nullptr) return;
    TrainingConfiguration changed = m_mine;
    for (const StageLayout& layout : m_framework.layouts(m_model, m_mine)) {
      changed.layersPerStage = layout;
      if (chunkLayers(m_model, changed) == chunkLayers(m_model, m_mine)) continue;
      m_visit("layers",
              "layers of stages " + layoutText(m_model, changed) + " instead of " + layoutText(m_model, m_mine),
              changed);
    }
  }

  void degree(const std::string& key, std::int64_t TrainingPlan::*degree, std::int64_t most) {
    for (const std::int64_t each : divisorsOf(most)) {
      if (each == plan().*degree) continue;
      TrainingConfiguration changed = m_mine;
      changed.plan.*degree = each;
      offer(key, instead(key, each, plan().*degree), changed);
    }
  }

  void virtualStages() {
    if (plan().pipeline == 1 || !m_framework.interleaves) return;
    const auto counts = m_framework.layouts == nullptr ? divisorsOf(m_model.layers / plan().pipeline)
                                                       : chunkCounts(m_model.layers, plan().pipeline);
    for (const std::int64_t each : counts) {
      if (each == plan().chunks) continue;
      TrainingConfiguration changed = m_mine;
      changed.plan.chunks = each;
      offer("vpp", instead("vpp", each, plan().chunks), changed);
    }
  }

  void microbatches() {
    for (const std::int64_t each : divisorsOf(plan().globalBatch / plan().data)) {
      if (each == plan().microbatch || each > kMostMicrobatch) continue;
      TrainingConfiguration changed = m_mine;
      changed.plan.microbatch = each;
      offer("microbatch", instead("microbatch", each, plan().microbatch), changed);
    }
  }

  void states() {
    for (const std::int64_t stage : m_framework.zeroStages) {
      if (stage == plan().zero) continue;
      TrainingConfiguration changed = m_mine;
      changed.plan.zero = stage;
      offer("zero", instead("ZeRO", stage, plan().zero), changed);
    }
    for (const RecomputeChoice& each : recomputationsOf(m_framework, m_model)) {
      if (each == recomputationOf(m_mine) && m_mine.recomputedLayers == 0) continue;
      TrainingConfiguration changed = m_mine;
      setRecomputation(changed, each);
      changed.recomputedLayers = 0;
      offer("recompute",
            recomputationText(each) + " instead of " + recomputationText(recomputationOf(m_mine)) +
                (m_mine.recomputedLayers > 0 ? " of " + countedText(m_mine.recomputedLayers, "layer") : ""),
            changed);
    }
    if (!m_framework.replicates) return;
    for (const std::int64_t each : divisorsOf(plan().data)) {
      if (each == plan().replicas) continue;
      TrainingConfiguration changed = m_mine;
      changed.plan.replicas = each;
      offer("replicas", instead("replicas", each, plan().replicas), changed);
    }
  }

  void switches() {
    if (!m_mine.overlapsData) {
      TrainingConfiguration changed = m_mine;
      changed.overlapsData = true;
      offer("dp overlap", "dp overlapped with computation", changed);
    }
    if (plan().tensor > 1 && m_framework.sequenceParallel != SequenceParallelism::None) {
      const bool splits = plan().sequenceParallel != SequenceParallelism::None;
      TrainingConfiguration changed = m_mine;
      changed.plan.sequenceParallel = splits ? SequenceParallelism::None : m_framework.sequenceParallel;
      changed.plan.tensorOverlap = changed.plan.tensorOverlap && !splits;
      if (!splits || m_framework.tensorAlone) {
        offer("sp", splits ? "no sequence parallelism" : "sequence parallelism", changed);
      }
      if (!plan().tensorOverlap && searchesTensorOverlap(m_framework, m_model, m_mine, m_accelerator)) {
        changed = withDefaultCompiler(m_mine);
        changed.plan.tensorOverlap = true;
        offer("tp overlap", "tp overlapped with computation", changed);
      }
    }
    TrainingConfiguration paired = m_mine;
    paired.plan.expertOverlap = !plan().expertOverlap;
    if (plan().expertOverlap || searchesExpertOverlap(m_framework, m_model, m_mine)) {
      offer("ep overlap", plan().expertOverlap ? "ep not overlapped" : "ep overlapped with computation", paired);
    }
    expertKernels();
    if (const TrainingConfiguration changed = withDefaultCompiler(m_mine); changed.compiled != m_mine.compiled) {
      offer("compile", "layers compiled (torch.compile)", changed);
    }
    for (const ContextCollective kind : m_framework.contextKinds) {
      if (plan().context == 1 || kind == plan().contextCollective) continue;
      TrainingConfiguration changed = m_mine;
      changed.plan.contextCollective = kind;
      offer("cp kind",
            "cp by " + std::string(nameOf(kind)) + " instead of " + std::string(nameOf(plan().contextCollective)),
            changed);
    }
    for (const ScheduleKind kind : m_framework.schedules) {
      if (plan().pipeline == 1 || kind == m_mine.schedule) continue;
      TrainingConfiguration changed = m_mine;
      changed.schedule = kind;
      if (kind == ScheduleKind::ZeroBubbleV) changed.plan.chunks = 2;
      changed.compiled = compilesByDefault(changed) && (m_mine.compiled || !compilesByDefault(m_mine));
      offer("schedule", "schedule " + std::string(nameOf(kind)) + " instead of " + std::string(nameOf(m_mine.schedule)),
            changed);
    }
  }

  /// Dispatch and CUDA graphs of the framework's recipes.
  void expertKernels() {
    if (m_model.experts == 0 || m_framework.applyExpertKernels == nullptr) return;
    TrainingConfiguration changed = m_mine;
    m_framework.applyExpertKernels(changed, m_accelerator.generation);
    if (changed.dispatch == m_mine.dispatch && changed.graphs == m_mine.graphs) return;
    const auto words = [](const TrainingConfiguration& each) {
      return dispatchText(each.dispatch) + " with " + graphsText(each.graphs);
    };
    offer("dispatch", words(changed) + " instead of " + words(m_mine), changed);
  }

  [[nodiscard]] bool compilesByDefault(TrainingConfiguration made) const {
    made.compiled = false;
    if (m_framework.applyDefaults != nullptr) m_framework.applyDefaults(made);
    return made.compiled;
  }

  [[nodiscard]] TrainingConfiguration withDefaultCompiler(TrainingConfiguration made) const {
    made.compiled = made.compiled || compilesByDefault(made);
    return made;
  }

  const TrainingFramework& m_framework;
  const ModelShape& m_model;
  const TrainingAccelerator& m_accelerator;
  const TrainingConfiguration& m_mine;
  const ChangeVisit& m_visit;
  std::int64_t m_devices;
};

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<std::string> missing(const std::vector<std::string>& lines, const std::vector<std::string>& in) {
  std::vector<std::string> made;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(made),
               [&](const std::string& each) { return std::find(in.begin(), in.end(), each) == in.end(); });
  return made;
}

std::string_view nameOfLine(std::string_view line) { return line.substr(0, line.find_first_of(" =:")); }

}  // namespace

void forEachChange(const TrainingFramework& framework, const ModelShape& model, const TrainingAccelerator& accelerator,
                   const TrainingConfiguration& mine, const ChangeVisit& visit) {
  Changes(framework, model, accelerator, mine, visit).run();
}

void setFlags(const ModelShape& model, const System& system, const PlannedConfiguration& mine, TrainingChange& change) {
  const auto before = linesOf(launchTextOf(model, system, mine));
  const auto after = linesOf(launchTextOf(model, system, change.planned));
  change.flags = missing(after, before);
  for (const std::string& each : missing(before, after)) {
    const bool replaced = std::any_of(change.flags.begin(), change.flags.end(),
                                      [&](const std::string& flag) { return nameOfLine(flag) == nameOfLine(each); });
    if (!replaced) change.dropped.push_back(each);
  }
}

}  // namespace p2::inline training_answer
