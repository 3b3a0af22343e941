// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_pipeline.h"

#include <algorithm>
#include <ostream>

#include "app/cli/strategy_as_workload.h"
#include "app/cli/strategy_pipeline_listing.h"
#include "app/cli/terminal_progress.h"
#include "base/numbers.h"
#include "pipeline/pipeline_baseline.h"
#include "pipeline/pipeline_plan.h"
#include "pipeline/pipeline_workload.h"
#include "text/text_file.h"

namespace p2::cli {
namespace {

Result<void> checkRequest(const StrategyRequest& request, const StrategyQuestion& question) {
  if (!question.source) {
    return Error{request.file + " has cost tables, which do not say what a stage is; name a graph", "--stages"};
  }
  if (question.source->options.model != StrategyCostModel::Hierarchical) {
    return Error{"stages lie on the devices of a system; add --model hierarchical --system SYSTEM", "--stages"};
  }
  const auto refuse = [](bool given, const char* sentence, const char* option) -> Result<void> {
    if (given) return Error{sentence, option};
    return {};
  };
  P2_TRY(refuse(request.evaluate && request.stages,
                "a strategy that is evaluated says its stages; leave the option out", "--stages"));
  P2_TRY(refuse(request.solver && *request.solver != "exact", "the literal solver knows no stages; use --solver exact",
                "--solver"));
  P2_TRY(refuse(request.best.has_value(),
                "pipelines are not ranked below the best; ask for other numbers of stages one by one, or add --compare",
                "--best"));
  return refuse(!request.pins.empty(),
                "stages that are alike are solved once, which a pin in one of them would forbid; write the pipeline "
                "with -o, change the operator there and price it with --evaluate",
                "--pin");
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

ComparedStrategy comparedWith(std::string name, const Pipeline& pipeline, const System& system) {
  const PipelineStage& slowest = pipeline.stages[pipeline.slowest()];
  ComparedStrategy compared;
  compared.name = std::move(name);
  compared.cost = pipeline.cost;
  compared.split = splitOf(pipeline);
  compared.memory = memoryOf(pipeline);
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
  {
    TerminalProgress telling("comparing with one stage");
    add("one stage", solvePipeline(chain, options, system, pricer, {1, {}}, {}, telling.progress()),
        [](const Pipeline& pipeline) { return pipeline; });
  }
  for (const bool sequence : {false, true}) {
    const std::string name(pipelineBaselineName(sequence));
    TerminalProgress telling("comparing with " + name);
    add(name, pipelineBaseline(chain, options, system, pricer, stages, sequence, {}, telling.progress()),
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

Result<Pipeline> pipelineFor(const StrategyRequest& request, const StrategyQuestion& question,
                             const PipelineChain& chain, PipelinePricer& pricer, const StrategyPlan* plan) {
  const PricedGraph& source = *question.source;
  const System& system = dynamic_cast<HierarchicalPrices&>(*source.pricer).system();
  if (plan != nullptr) {
    return pipelineOfPlan(chain, source.options, system, pricer, *plan).within(*request.evaluate);
  }
  PipelineRequest wanted;
  P2_TRY_ASSIGN(wanted.stages, stagesOf(request));
  P2_TRY_ASSIGN(wanted.solving, solveOptionsOf(request, {}));
  TerminalProgress telling("finding the best pipeline");
  return solvePipeline(chain, source.options, system, pricer, wanted, {}, telling.progress());
}

}  // namespace

Result<void> writePipeline(const StrategyRequest& request, const StrategyQuestion& question, const StrategyPlan* plan,
                           std::ostream& out) {
  P2_TRY(checkRequest(request, question));
  const PricedGraph& source = *question.source;
  auto& prices = dynamic_cast<HierarchicalPrices&>(*source.pricer);
  SimulatedPipelinePricer pricer(prices);
  const PipelineChain chain(source.graph);
  P2_TRY_ASSIGN(const auto pipeline, pipelineFor(request, question, chain, pricer, plan));
  if (request.asWorkload) return writeWorkload(request, chain, pipeline, out);
  if (request.output) return writeTextFile(*request.output, pipelineToJson(source.graph, pipeline));
  std::vector<ComparedStrategy> compared;
  if (request.compare) {
    std::optional<std::int64_t> stages = pipeline.setting.stages;
    if (plan == nullptr) {
      P2_TRY_ASSIGN(stages, stagesOf(request));
    }
    P2_TRY_ASSIGN(compared, comparedPipelines(question, chain, prices.system(), pricer, stages));
  }
  const PipelineListing listing(source, prices.system(), pipeline, compared, plan != nullptr, !request.unfold);
  if (request.json) {
    listing.writeJson(out);
  } else {
    listing.writeText(out, question);
  }
  return {};
}

}  // namespace p2::cli
