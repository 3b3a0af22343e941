// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy_answer/pipeline_answer.h"

#include <algorithm>

#include "mapping/axis_names.h"
#include "pipeline/pipeline_baseline.h"
#include "pipeline/pipeline_plan.h"
#include "pipeline/pipeline_workload.h"
#include "workload/axis_names.h"

namespace p2::inline strategy_answer {
namespace {

/// A pipeline that was found, or why there is none, as a baseline. Errors: cancelled.
Result<StrategyBaseline> asBaseline(StrategyBaseline baseline, const StrategyInput& input,
                                    const Result<Pipeline>& found) {
  if (!found.ok()) {
    if (found.error().kind == ErrorKind::Cancelled) return cancelledError();
    baseline.reason = found.error().text();
    return baseline;
  }
  baseline.cost = found->cost;
  baseline.split = splitOf(*found);
  baseline.memory = memoryOf(*found);
  baseline.fits = found->fits;
  baseline.stages = found->setting.stages;
  baseline.stageFactors = stageFactorsText(*input.system, found->setting.factors);
  const PipelineStage& slowest = found->stages[found->slowest()];
  baseline.mesh = slowest.mapped().mesh;
  baseline.degrees = degreesOf(*found);
  baseline.sequenceParallel = isSequenceParallel(slowest.mapping.axisNames, slowest.mapping.sequenceAxes);
  baseline.devices = baseline.stages * devicesUsed(slowest.mapped().problem, slowest.answer->strategy().choice);
  return baseline;
}

Result<Pipeline> pipelineIn(const Result<PipelineBaseline>& found) {
  if (!found.ok()) return found.error();
  return found->pipeline;
}

}  // namespace

std::vector<Axis> degreesOf(const Pipeline& pipeline) {
  const PipelineStage& slowest = pipeline.stages[pipeline.slowest()];
  std::vector<Axis> degrees = namedAxesOf(slowest.mapped().mesh, slowest.mapping.axisNames);
  degrees.insert(degrees.begin(), {std::string(kPipelineAxis), pipeline.setting.stages, false});
  return degrees;
}

std::vector<std::size_t> PipelineAnswer::stagesOfOperators() const {
  std::vector<std::size_t> stages(graph().operators.size(), 0);
  for (std::size_t stage = 0; stage < pipeline.stages.size(); ++stage) {
    for (const std::size_t op : pipeline.stages[stage].part.operators) stages[op] = stage;
  }
  return stages;
}

std::size_t PipelineAnswer::fullest() const {
  const auto& stages = pipeline.stages;
  const auto found = std::max_element(stages.begin(), stages.end(),
                                      [](const auto& a, const auto& b) { return a.memory.total() < b.memory.total(); });
  return static_cast<std::size_t>(found - stages.begin());
}

Result<void> checkPipelined(const StrategyInput& input) {
  if (!input.graph) return Error{"cost tables have no stages; name a graph"};
  if (!input.isOnMesh() || !input.system) {
    return Error{"stages need the devices of a system; choose the hierarchical model and a system"};
  }
  return {};
}

Result<PipelineAnswer> pipelineAnswer(StrategyInput input, const PipelineSearch& search, StrategyPrices& prices,
                                      const std::stop_token& stop, const Progress& progress) {
  P2_TRY(checkPipelined(input));
  const PipelineChain chain(*input.graph);
  const System& system = *input.system;
  auto pipeline = search.plan ? pipelineOfPlan(chain, input.options, system, prices.inPipelines(), *search.plan, stop)
                              : solvePipeline(chain, input.options, system, prices.inPipelines(),
                                              {search.stages, search.solving}, stop, progress);
  P2_TRY(pipeline);
  auto schedule = scheduleOf(pipeline->times(), pipeline->setting.microbatches);
  return PipelineAnswer{std::move(input), std::move(pipeline).value(), std::move(schedule), search.plan.has_value()};
}

Result<PipelineAnswer> answerPipeline(const StrategyQuestion& question, const PipelineSearch& search,
                                      const std::stop_token& stop, const Progress& progress) {
  P2_TRY_ASSIGN(auto input, readStrategyInput(question, stop));
  P2_TRY(checkPipelined(input));
  P2_TRY_ASSIGN(auto prices, StrategyPrices::of(input, stop));
  return pipelineAnswer(std::move(input), search, prices, stop, progress);
}

Result<std::vector<StrategyBaseline>> pipelineBaselinesOf(const StrategyInput& input,
                                                          std::optional<std::int64_t> stages, StrategyPrices& prices,
                                                          const std::stop_token& stop, const Progress& progress) {
  P2_TRY(checkPipelined(input));
  const PipelineChain chain(*input.graph);
  std::vector<StrategyBaseline> all;
  for (const bool sequence : {false, true}) {
    const auto half = [&](double done) {
      if (progress) progress((static_cast<double>(all.size()) + done) / 2);
    };
    StrategyBaseline baseline;
    baseline.name = pipelineBaselineName(sequence);
    baseline.meaning = pipelineBaselineMeaning(sequence);
    P2_TRY_ASSIGN(baseline,
                  asBaseline(std::move(baseline), input,
                             pipelineIn(pipelineBaseline(chain, input.options, *input.system, prices.inPipelines(),
                                                         stages, sequence, stop, half))));
    all.push_back(std::move(baseline));
  }
  return all;
}

Result<StrategyBaseline> oneStageOf(const StrategyInput& input, StrategyPrices& prices, const std::stop_token& stop,
                                    const Progress& progress) {
  P2_TRY(checkPipelined(input));
  StrategyBaseline baseline;
  baseline.name = "one stage";
  baseline.meaning = "The best strategy without a pipeline.";
  const PipelineChain chain(*input.graph);
  return asBaseline(std::move(baseline), input,
                    solvePipeline(chain, input.options, *input.system, prices.inPipelines(), {1, {}}, stop, progress));
}

Result<WorkloadSource> workloadOf(const PipelineAnswer& answer) {
  return workloadOf(PipelineChain(answer.graph()), answer.pipeline);
}

}  // namespace p2::inline strategy_answer
