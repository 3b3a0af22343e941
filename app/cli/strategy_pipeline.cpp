// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_pipeline.h"

#include <algorithm>
#include <ostream>

#include "app/cli/strategy_as_workload.h"
#include "app/cli/strategy_pipeline_listing.h"
#include "base/numbers.h"
#include "pipeline/pipeline_baseline.h"
#include "pipeline/pipeline_workload.h"

namespace p2::cli {
namespace {

Result<void> checkRequest(const StrategyRequest& request, const StrategyQuestion& question) {
  if (!question.source) {
    return Error{request.file + " has cost tables, which do not say what a stage is; name a graph", "--stages"};
  }
  if (question.source->options.model != StrategyCostModel::Hierarchical) {
    return Error{"stages lie on the devices of a system; add --model hierarchical --system SYSTEM", "--stages"};
  }
  const auto refuse = [](bool given, const char* why, const char* option) -> Result<void> {
    if (given) return Error{std::string(why) + "; leave it out, or --stages", option};
    return {};
  };
  P2_TRY(refuse(request.solver && *request.solver != "exact", "the literal solver knows no stages", "--solver"));
  P2_TRY(refuse(request.best.has_value(), "one pipeline is found, not several", "--best"));
  P2_TRY(refuse(!request.pins.empty(), "pins hold on a mesh of all devices", "--pin"));
  P2_TRY(refuse(request.evaluate.has_value(), "a strategy file has one mesh of all devices", "--evaluate"));
  return refuse(request.output && !request.asWorkload, "a strategy file has one mesh of all devices", "--output");
}

Result<std::optional<std::int64_t>> stagesOf(const StrategyRequest& request) {
  if (*request.stages == "auto") return std::optional<std::int64_t>();
  auto stages = wholeNumber(*request.stages, "--stages", 1, kMostStrategyDevices);
  if (!stages.ok()) {
    return Error{"\"" + *request.stages + "\" is no number of stages; use a divisor of the devices, or auto",
                 "--stages"};
  }
  return std::optional(*stages);
}

/// The split of the slowest stage, in all slots; sends are an exchange.
ComparedStrategy comparedWith(std::string name, const Pipeline& pipeline, const System& system) {
  const PipelineStage& slowest = pipeline.stages[pipeline.slowest()];
  ComparedStrategy compared;
  compared.name = std::move(name);
  compared.cost = pipeline.cost;
  compared.split = splitOf(slowest.mapping);
  compared.split->exchange +=
      static_cast<double>(pipeline.slotCount()) * (slowest.sends.forwardSeconds + slowest.sends.backwardSeconds);
  for (const PipelineStage& stage : pipeline.stages) {
    compared.memory = std::max(compared.memory.value_or(Bytes(0)), stage.memory.total());
  }
  compared.fits = pipeline.fits;
  compared.mesh = slowest.mapped().mesh.matrix.text();
  compared.stages = pipeline.setting.stages;
  compared.dealt = stageFactorsText(system, pipeline.setting.factors);
  return compared;
}

Result<std::vector<ComparedStrategy>> comparedPipelines(const StrategyQuestion& question, const PipelineChain& chain,
                                                        const System& system, PipelinePricer& pricer,
                                                        std::optional<std::int64_t> stages) {
  std::vector<ComparedStrategy> all;
  const GraphCostOptions& options = question.source->options;
  const auto add = [&](std::string name, const auto& found, auto pipelineIn) {
    if (found.ok()) {
      all.push_back(comparedWith(std::move(name), pipelineIn(*found), system));
    } else {
      ComparedStrategy none;
      none.name = std::move(name);
      none.reason = found.error().text();
      all.push_back(std::move(none));
    }
  };
  add("one stage", solvePipeline(chain, options, system, pricer, {1, {}}),
      [](const Pipeline& pipeline) { return pipeline; });
  for (const bool sequence : {false, true}) {
    add(sequence ? "Megatron TP + SP + PP" : "Megatron TP + PP",
        pipelineBaseline(chain, options, system, pricer, stages, sequence),
        [](const PipelineBaseline& baseline) { return baseline.pipeline; });
  }
  P2_TRY_ASSIGN(const auto others, comparedStrategies(question));
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Result<void> writeWorkload(const StrategyRequest& request, const PipelineChain& chain, const Pipeline& pipeline,
                           std::ostream& out) {
  P2_TRY_ASSIGN(const auto source, workloadOf(chain, pipeline));
  return writeAsWorkload(source, request.output, out);
}

}  // namespace

Result<void> writePipeline(const StrategyRequest& request, const StrategyQuestion& question, std::ostream& out) {
  P2_TRY(checkRequest(request, question));
  const PricedGraph& source = *question.source;
  auto& prices = dynamic_cast<HierarchicalPrices&>(*source.pricer);
  SimulatedPipelinePricer pricer(prices);
  const PipelineChain chain(source.graph);
  PipelineRequest wanted;
  P2_TRY_ASSIGN(wanted.stages, stagesOf(request));
  P2_TRY_ASSIGN(wanted.solving, solveOptionsOf(request, {}));
  P2_TRY_ASSIGN(const auto pipeline, solvePipeline(chain, source.options, prices.system(), pricer, wanted));
  if (request.asWorkload) return writeWorkload(request, chain, pipeline, out);
  std::vector<ComparedStrategy> compared;
  if (request.compare) {
    P2_TRY_ASSIGN(compared, comparedPipelines(question, chain, prices.system(), pricer, wanted.stages));
  }
  const PipelineListing listing(source, prices.system(), pipeline, compared);
  if (request.json) {
    listing.writeJson(out);
  } else {
    listing.writeText(out, question);
  }
  return {};
}

}  // namespace p2::cli
