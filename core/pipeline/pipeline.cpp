// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/detail/pipeline.h"

#include <algorithm>

namespace p2::inline pipeline {

Result<PipelineStage> completedStage(const PipelineSetting& setting, PipelinePricer& pricer, std::size_t number,
                                     PipelineStage stage) {
  const MappedGraph graph(stage.part.graph, setting.options);
  stage.inFlight = inFlight(static_cast<std::int64_t>(number), setting.stages, setting.microbatches);
  P2_TRY_ASSIGN(stage.mapping,
                mappingOf(graph, stage.mapped(), stage.answer->strategy(), pricer.within(setting.factors)));
  P2_TRY_ASSIGN(stage.sends, sendsOf(stage.part, setting, *stage.answer, pricer));
  stage.times = timesOf(setting, stage.mapping, stage.sends);
  stage.memory = memoryOf(stage.part, setting, *stage.answer, stage.inFlight);
  return stage;
}

Result<PipelineStage> stageOfCuts(const PipelineChain& chain, const PipelineSetting& setting, PipelinePricer& pricer,
                                  const std::vector<std::size_t>& cuts, std::size_t number,
                                  std::shared_ptr<const StageAnswer> answer) {
  PipelineStage stage;
  stage.first = cuts[number];
  stage.end = cuts[number + 1];
  stage.part = chain.stageOf(stage.first, stage.end);
  stage.answer = std::move(answer);
  return completedStage(setting, pricer, number, std::move(stage));
}

std::size_t Pipeline::slowest() const {
  const auto found = std::max_element(stages.begin(), stages.end(),
                                      [](const auto& a, const auto& b) { return a.answer->cost() < b.answer->cost(); });
  return static_cast<std::size_t>(found - stages.begin());
}

double Pipeline::bubbleShare() const {
  return static_cast<double>(setting.stages - 1) / static_cast<double>(slotCount());
}

double Pipeline::bubbleSeconds() const {
  return static_cast<double>(setting.stages - 1) * stages[slowest()].times.slot();
}

std::vector<StageTimes> Pipeline::times() const {
  std::vector<StageTimes> all;
  for (const PipelineStage& stage : stages) all.push_back(stage.times);
  return all;
}

CostSplit splitOf(const Pipeline& pipeline) {
  const PipelineStage& slowest = pipeline.stages[pipeline.slowest()];
  CostSplit split = splitOf(slowest.mapping);
  split.resharding +=
      static_cast<double>(pipeline.slotCount()) * (slowest.sends.forwardSeconds + slowest.sends.backwardSeconds);
  return split;
}

Bytes memoryOf(const Pipeline& pipeline) {
  Bytes most(0);
  for (const PipelineStage& stage : pipeline.stages) most = std::max(most, stage.memory.total());
  return most;
}

std::string pipelineUnmodelledEffects() {
  return "interleaved schedules, several chunks of layers on a stage; cuts that more than one tensor passes; stages of "
         "unequal numbers of devices; sends that computation hides";
}

}  // namespace p2::inline pipeline
