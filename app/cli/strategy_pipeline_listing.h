// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/strategy_compare.h"
#include "app/cli/strategy_input.h"
#include "pipeline/pipeline.h"
#include "text/json_writer.h"

namespace p2::cli {

/// A pipeline that was found or given, with what it was found for.
class PipelineListing {
 public:
  PipelineListing(const PricedGraph& source, const System& system, const Pipeline& pipeline,
                  const std::vector<ComparedStrategy>& compared, bool evaluated, bool folded)
      : m_source(source),
        m_system(system),
        m_pipeline(pipeline),
        m_compared(compared),
        m_evaluated(evaluated),
        m_folded(folded),
        m_schedule(scheduleOf(pipeline.times(), pipeline.setting.microbatches)) {}

  void writeText(std::ostream& out, const StrategyQuestion& question) const;
  void writeJson(std::ostream& out) const;

 private:
  [[nodiscard]] std::string nameOfOperator(const PipelineStage& stage, std::size_t vertex) const {
    return m_source.graph.operators[stage.part.operators[vertex]].name;
  }
  [[nodiscard]] const AxisAssignment& assignmentOf(const PipelineStage& stage, std::size_t vertex) const {
    return stage.mapped().assignmentOf(vertex, stage.answer->strategy().choice[vertex]);
  }
  [[nodiscard]] const Configuration& partsOf(const PipelineStage& stage, std::size_t vertex) const {
    return stage.mapped().problem.domainOf(vertex).configurations[stage.answer->strategy().choice[vertex]];
  }
  /// The stage that needs most.
  [[nodiscard]] std::size_t fullest() const {
    const auto found = std::max_element(
        m_pipeline.stages.begin(), m_pipeline.stages.end(),
        [](const PipelineStage& a, const PipelineStage& b) { return a.memory.total() < b.memory.total(); });
    return static_cast<std::size_t>(found - m_pipeline.stages.begin());
  }
  [[nodiscard]] std::string headLines() const;
  [[nodiscard]] std::string stagesTable() const;
  [[nodiscard]] std::string operatorsTable() const;
  void writeStage(JsonWriter& json, std::size_t number) const;
  static void writeMemory(JsonWriter& json, const StepMemory& memory);

  const PricedGraph& m_source;
  const System& m_system;
  const Pipeline& m_pipeline;
  const std::vector<ComparedStrategy>& m_compared;
  bool m_evaluated;  // the pipeline was given, not found
  bool m_folded;     // layers that are divided alike are listed once for every stage
  std::optional<PipelineSchedule> m_schedule;
};

}  // namespace p2::cli
