// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/stated_stages.h"

#include "base/counted.h"

namespace p2::inline training_files {
namespace {

/// Fills in the stages of a configuration from a statement.
class StageCompletion {
 public:
  StageCompletion(StatedTraining& stated, const ModelShape& model, TrainingConfiguration& made)
      : m_stated(stated), m_model(model), m_made(made) {}

  Result<void> run() {
    TrainingPlan& made = plan();
    made.chunks = made.pipeline > 1 ? m_stated.chunks.value_or(1) : 1;
    if (made.pipeline == 1) return {};
    m_made.schedule = m_stated.schedule.value_or(
        m_stated.framework->schedules.empty() ? ScheduleKind::OneF1B : m_stated.framework->schedules.front());
    if (m_stated.layout || m_stated.layersOfStages) return listedStages();
    const bool leads = m_stated.framework->family == FrameworkFamily::Fsdp;
    const std::int64_t units = m_model.layers + m_stated.embeddingLayers + m_stated.headLayers;
    if (m_stated.chunkLayers) {
      const std::int64_t unit = made.pipeline * *m_stated.chunkLayers;
      // TorchTitan rounds up.
      const std::int64_t all = leads ? (units + *m_stated.chunkLayers - 1) / *m_stated.chunkLayers : 0;
      if (leads ? all % made.pipeline != 0 : units % unit != 0) {
        return Error{"virtual stages of " + countedText(*m_stated.chunkLayers, "layer") + " on " +
                     countedText(made.pipeline, "stage") + " do not divide the " +
                     countedText(m_model.layers, "layer") + endsText()};
      }
      made.chunks = leads ? all / made.pipeline : units / unit;
    }
    const std::int64_t chunks = made.pipeline * made.chunks;
    if (leads) {
      return take(leadingLayout(m_model.layers, chunks, m_stated.embeddingLayers, m_stated.headLayers));
    }
    if (m_stated.byCost) return take(cumulativeLayout(m_model, made.pipeline));
    if (m_stated.framework->name == "deepspeed") return take(partitionedLayout(m_model.layers, made.pipeline));
    if (m_stated.firstStageLayers || m_stated.lastStageLayers) return unevenStages();
    if (units == m_model.layers) return {};
    if (units % chunks != 0) {
      return Error{std::to_string(chunks) + " virtual stages do not divide the " +
                   countedText(m_model.layers, "layer") + endsText()};
    }
    return take(
        balancedLayout(m_model.layers, made.pipeline, made.chunks, m_stated.embeddingLayers, m_stated.headLayers));
  }

 private:
  TrainingPlan& plan() { return m_made.plan; }

  [[nodiscard]] std::string endsText() const {
    const bool first = m_stated.embeddingLayers > 0;
    const bool last = m_stated.headLayers > 0;
    if (!first && !last) return {};
    return std::string(" with ") + (first ? "the embedding" : "") + (first && last ? " and " : "") +
           (last ? "the head" : "") + " as layers";
  }

  /// A layout that was found: empty where the layers do not allow it.
  Result<void> take(const StageLayout& layout) {
    if (layout.empty()) {
      return Error{countedText(m_model.layers, "layer") + " are too few for " +
                   countedText(plan().pipeline * plan().chunks, "virtual stage") + endsText()};
    }
    m_made.layersPerStage = statedLayout(m_model, m_made, layout);
    return {};
  }

  /// Layers of every virtual stage, in the order of the model.
  Result<void> listedStages() {
    StageLayout layout = m_stated.layersOfStages.value_or(StageLayout());
    if (m_stated.layout) {
      P2_TRY_ASSIGN(const auto read, megatronLayoutFrom(*m_stated.layout));
      layout = read.layers;
      if (read.predictedTokens > 0) m_stated.predictedTokens = read.predictedTokens;
      if (!read.predictsLast) {
        m_stated.assumed.emplace_back(
            "multi-token prediction is priced on the last stage, although the layout has it on another one");
      }
    }
    const auto count = static_cast<std::int64_t>(layout.size());
    if (count % plan().pipeline != 0) {
      return Error{"the layout has " + countedText(count, "virtual stage") + ", which pp " +
                   std::to_string(plan().pipeline) + " does not divide"};
    }
    plan().chunks = count / plan().pipeline;
    std::int64_t sum = 0;
    for (const std::int64_t each : layout) sum += each;
    if (sum != m_model.layers) {
      return Error{"the layout has " + countedText(sum, "layer") + ", and the model has " +
                   std::to_string(m_model.layers)};
    }
    return take(layout);
  }

  /// A first and a last stage of their own sizes; those between are equal.
  Result<void> unevenStages() {
    const std::int64_t stages = plan().pipeline;
    const std::int64_t given = (m_stated.firstStageLayers ? 1 : 0) + (m_stated.lastStageLayers ? 1 : 0);
    if (given == 0 || stages <= given) return {};
    const std::int64_t rest =
        m_model.layers - m_stated.firstStageLayers.value_or(0) - m_stated.lastStageLayers.value_or(0);
    if (rest < stages - given || rest % (stages - given) != 0) {
      return Error{countedText(rest, "layer") + " between the first and the last stage do not divide by " +
                   countedText(stages - given, "stage")};
    }
    StageLayout layers(static_cast<std::size_t>(stages), rest / (stages - given));
    if (m_stated.firstStageLayers) layers.front() = *m_stated.firstStageLayers;
    if (m_stated.lastStageLayers) layers.back() = *m_stated.lastStageLayers;
    for (const std::int64_t each : layers) {
      if (each % plan().chunks == 0) continue;
      return Error{"a stage of " + countedText(each, "layer") + " does not divide by its " +
                   countedText(plan().chunks, "virtual stage")};
    }
    m_made.layersPerStage = std::move(layers);
    const StageLayout chunks = chunkLayers(m_model, m_made);
    return take(chunks);
  }

  StatedTraining& m_stated;
  const ModelShape& m_model;
  TrainingConfiguration& m_made;
};

}  // namespace

Result<void> completeStages(StatedTraining& stated, const ModelShape& model, TrainingConfiguration& made) {
  return StageCompletion(stated, model, made).run();
}

}  // namespace p2::inline training_files
