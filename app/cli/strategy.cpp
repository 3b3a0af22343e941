// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <iostream>
#include <ostream>

#include "app/cli/assumed.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/strategy_document.h"
#include "app/cli/strategy_request.h"
#include "app/cli/terminal_progress.h"
#include "base/near.h"
#include "base/units.h"
#include "exporters/exporters.h"
#include "pipeline/pipeline_plan.h"
#include "strategy/literal/literal_solver.h"
#include "strategy_answer/strategy_training.h"
#include "text/text_file.h"

namespace p2::cli {
namespace {

enum class Solver { Exact, Literal };

Result<Solver> solverOf(const StrategyRequest& request) {
  const std::string name = request.solver.value_or("exact");
  if (name == "exact") return Solver::Exact;
  if (name != "literal") return Error{"\"" + name + "\" is not a solver; use exact or literal", "--solver"};
  if (request.best) return Error{"the literal solver finds one strategy; use --solver exact", "--best"};
  if (request.memory) return Error{"the literal solver counts rows, not bytes; use --solver exact", "--memory"};
  if (request.timeLimit) return Error{"the literal solver takes no time limit; use --solver exact", "--time-limit"};
  if (request.graph.deviceMemory) {
    return Error{"the literal solver has no memory limit; use --solver exact", "--device-memory"};
  }
  if (!request.pins.empty()) return Error{"the literal solver takes no pins; use --solver exact", "--pin"};
  return Solver::Literal;
}

Result<StrategyAnswer> solvedLiterally(std::shared_ptr<const StrategyInstance> instance) {
  P2_TRY_ASSIGN(auto solution, solveLiterally(instance->problem));
  // Ties go to the lowest configuration, so the optimum is never lost.
  const double cost = solution.strategy->cost;
  return StrategyAnswer{std::move(instance), {}, {{*solution.strategy}, {}}, cost, true};
}

Result<StrategyAnswer> answerOf(const StrategyRequest& request, StrategyInput input, std::optional<StrategyPlan> plan,
                                Solver solver, StrategyPrices& prices) {
  if (input.isOnMesh() && solver == Solver::Literal) {
    return Error{"the literal solver takes one list of cost tables, but every mesh has its own; use --model flat",
                 "--solver"};
  }
  P2_TRY_ASSIGN(auto search, strategySearchOf(request, input));
  search.plan = std::move(plan);
  TerminalProgress shown(search.plan ? "pricing the strategy" : "finding the best strategy");
  P2_TRY_ASSIGN(auto priced, strategyInstance(std::move(input), search, prices, {}, shown.progress()));
  auto instance = std::make_shared<const StrategyInstance>(std::move(priced));
  if (solver == Solver::Literal) return solvedLiterally(std::move(instance));
  if (!instance->onMesh && !search.plan) P2_TRY(pinTables(request, instance->problem, search.solving));
  auto answer = strategyAnswer(std::move(instance), search, {}, shown.progress());
  return search.plan ? std::move(answer).within("--evaluate") : answer;
}

/// Assumptions and omissions go to stderr.
Result<void> writeWorkload(const WorkloadSource& source, const StrategyRequest& request, std::ostream& out) {
  if (const std::string line = assumedLine(source.assumed); !line.empty()) std::cerr << "p2: " << line << '\n';
  for (const std::string& text : source.ignored) std::cerr << "p2: ignored: " << oneLine(text) << '\n';
  const std::string json = workloadToJson(source.workload);
  if (request.output) return writeTextFile(*request.output, json);
  out << json;
  return {};
}

/// A plan of `p2 train`, or its launch flags. `best`: seconds of the cheapest strategy, common or not.
Result<void> writeTraining(const StrategyRequest& request, const StrategyInput& input,
                           std::vector<StrategyBaseline> strategies, double best, std::ostream& out) {
  P2_TRY_ASSIGN(const auto made,
                trainingOf(input, request.file, std::move(strategies), request.framework.value_or("any")));
  const double more = made.strategy.cost / best - 1;
  std::cerr << "p2: note: the plan is " << made.strategy.name << " by " << made.plan.planned.framework->label << ": "
            << describe(made.plan.planned.configuration);
  if (definitelyLess(best, made.strategy.cost)) {
    std::cerr << "; the cheapest strategy of all takes " << formatSeconds(best) << ", this one "
              << formatSeconds(made.strategy.cost) << " (" << formatPercent(more) << " more)";
  }
  std::cerr << '\n';
  for (const std::string& note : made.notes) std::cerr << "p2: note: " << oneLine(note) << '\n';
  const TrainingPlanFile& plan = made.plan;
  if (request.flags) {
    out << launchTextOf(plan.question.model, plan.question.system, plan.planned);
    if (!request.output) return {};
  }
  const std::string json = trainingPlanToJson(plan);
  if (request.output) return writeTextFile(*request.output, json);
  out << json;
  return {};
}

[[nodiscard]] bool wantsTraining(const StrategyRequest& request) { return request.asTraining || request.flags; }

Result<void> writeStrategy(const StrategyRequest& request, const StrategyAnswer& answer, StrategyPrices& prices,
                           std::ostream& out) {
  const StrategyInstance& instance = *answer.instance;
  if (wantsTraining(request)) {
    TerminalProgress shown("pricing common strategies");
    P2_TRY_ASSIGN(auto common, baselinesOf(instance, prices, {}, shown.progress()));
    return writeTraining(request, instance, std::move(common), answer.best().cost, out);
  }
  if (request.asWorkload) {
    if (!instance.graph) {
      return Error{request.file + " has cost tables, which name no communication; name a graph", "--as-workload"};
    }
    P2_TRY_ASSIGN(const auto source, workloadOf(instance, answer.best()));
    return writeWorkload(source, request, out);
  }
  if (request.output) {
    const MappedProblem* const mapped = instance.onMesh ? &instance.mapped() : nullptr;
    return writeTextFile(
        *request.output,
        strategyToJson(
            {instance.problem, instance.graph.get(), answer.best(), mapped,
             instance.graph ? std::optional(strategyStepOf(*instance.graph, instance.options)) : std::nullopt}));
  }
  P2_TRY_ASSIGN(const auto needs, needsOf(instance, answer.best(), prices));
  std::vector<StrategyBaseline> baselines;
  if (request.compare) {
    TerminalProgress shown("pricing the baselines");
    P2_TRY_ASSIGN(baselines, baselinesOf(instance, prices, {}, shown.progress()));
  }
  writeAnswer(out, documentOf(StrategyListing{answer, needs, baselines, request.best.has_value(), !request.unfold}),
              request.form);
  return {};
}

/// Whether a given strategy fits the memory; one that was found does.
int statusOf(Bytes needed, Bytes limit, bool evaluated) {
  return evaluated && limit > Bytes(0) && needed > limit ? kNo : kDone;
}

/// Baselines of a pipeline: the best strategy without stages, then common pipelines, then common strategies.
Result<std::vector<StrategyBaseline>> pipelineComparison(const PipelineAnswer& answer,
                                                         std::optional<std::int64_t> stages, StrategyPrices& prices) {
  std::vector<StrategyBaseline> all;
  TerminalProgress shown("pricing the baselines");
  P2_TRY_ASSIGN(auto single, oneStageOf(answer.input, prices, {}, shown.progress()));
  all.push_back(std::move(single));
  P2_TRY_ASSIGN(const auto pipelines, pipelineBaselinesOf(answer.input, stages, prices, {}, shown.progress()));
  all.insert(all.end(), pipelines.begin(), pipelines.end());
  P2_TRY_ASSIGN(const auto others, meshBaselinesOf(answer.input, prices, {}, shown.progress()));
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Result<int> writePipeline(const StrategyRequest& request, StrategyInput input, const PipelineSearch& search,
                          StrategyPrices& prices, std::ostream& out) {
  auto found = [&] {
    TerminalProgress shown(search.plan ? "pricing the pipeline" : "finding the best pipeline");
    return pipelineAnswer(std::move(input), search, prices, {}, shown.progress());
  }();
  P2_TRY_ASSIGN(const auto answer, search.plan ? std::move(found).within(*request.evaluate) : std::move(found));
  if (wantsTraining(request)) {
    const auto stages = search.plan ? std::optional(answer.pipeline.setting.stages) : search.stages;
    TerminalProgress shown("pricing common pipelines");
    P2_TRY_ASSIGN(auto common, pipelineBaselinesOf(answer.input, stages, prices, {}, shown.progress()));
    P2_TRY(writeTraining(request, answer.input, std::move(common), answer.pipeline.cost, out));
    return kDone;
  }
  if (request.asWorkload) {
    P2_TRY_ASSIGN(const auto source, workloadOf(answer));
    P2_TRY(writeWorkload(source, request, out));
    return kDone;
  }
  if (request.output) {
    P2_TRY(writeTextFile(*request.output, pipelineToJson(answer.graph(), answer.pipeline)));
    return kDone;
  }
  std::vector<StrategyBaseline> baselines;
  if (request.compare) {
    const auto stages = search.plan ? std::optional(answer.pipeline.setting.stages) : search.stages;
    P2_TRY_ASSIGN(baselines, pipelineComparison(answer, stages, prices));
  }
  writeAnswer(out, documentOf(PipelineListing{answer, baselines, !request.unfold}), request.form);
  return statusOf(answer.pipeline.stages[answer.fullest()].memory.total(), answer.input.deviceMemory(),
                  answer.evaluated);
}

/// Whether a pipeline is asked for: by --stages, or by a given strategy that has stages. Errors: both, which disagree.
Result<bool> isPipelined(const StrategyRequest& request, const std::optional<StrategyPlan>& plan) {
  const bool asked = request.stages && *request.stages != "1";
  if (plan && plan->stages.empty() && asked) {
    return Error{"the strategy of " + *request.evaluate + " has no stages; leave the option out", "--stages"};
  }
  return asked || (plan && !plan->stages.empty());
}

/// Frameworks split a batch down to single sequences.
void splitBatches(StrategyRequest& request) {
  if (wantsTraining(request)) request.graph.fields.emplace("cutoff", "1");
}

/// Options of plans that need one another, or that have no meaning together.
Result<void> checkPlanOptions(const StrategyRequest& request, const StrategyInput& input) {
  if (request.framework && !wantsTraining(request)) {
    return Error{"it chooses the framework of the plan; add --as-training or --flags", "--framework"};
  }
  if (!wantsTraining(request)) return {};
  if (request.asWorkload) return Error{"a file holds either a workload or a plan; choose one", "--as-workload"};
  return checkTrained(input, request.file);
}

Result<int> run(const StrategyRequest& typed, std::ostream& out) {
  P2_TRY_ASSIGN(StrategyRequest request, completedByFile(typed));
  splitBatches(request);
  if (request.list) {
    writeAnswer(out, bundledGraphsDocument(), request.form);
    return kDone;
  }
  if (request.file.empty()) return Error{"a file or a bundled graph is needed; see p2 strategy --list", "FILE"};
  P2_TRY_ASSIGN(const auto solver, solverOf(request));
  P2_TRY_ASSIGN(auto input, strategyInputOf(request));
  P2_TRY(checkPlanOptions(request, input));
  P2_TRY_ASSIGN(auto prices, StrategyPrices::of(input).within("--devices"));
  P2_TRY_ASSIGN(auto plan, strategyPlanOf(request, input));
  P2_TRY_ASSIGN(const bool pipelined, isPipelined(request, plan));
  if (pipelined) {
    P2_TRY_ASSIGN(const auto search, pipelineSearchOf(request, input, std::move(plan)));
    return writePipeline(request, std::move(input), search, prices, out);
  }
  P2_TRY_ASSIGN(const auto answer, answerOf(request, std::move(input), std::move(plan), solver, prices));
  P2_TRY(writeStrategy(request, answer, prices, out));
  const StrategyInstance& instance = *answer.instance;
  if (!instance.graph) return kDone;
  return statusOf(stepMemoryOf(instance, answer.best()).total(), instance.deviceMemory(), answer.evaluated);
}

}  // namespace

void addStrategy(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("strategy", "Find the cheapest strategy of a computation graph");
  const auto request = std::make_shared<StrategyRequest>();
  addValue(*command, "FILE", request->file, "A bundled graph, or a file: computation graph, ONNX model, cost tables");
  addValue(*command, "--devices N", request->devices, "Number of devices (the file's or the system's, else 8)");
  addValue(*command, "--solver SOLVER", request->solver,
           "Solver: exact, or literal for the algorithm as it was published (exact)");
  addValue(*command, "--best K", request->best, "Number of cheapest strategies to list (1)");
  addValue(*command, "--pin OPERATOR=CONFIGURATION", request->pins,
           "An operator and the configuration that it must take, as in 3:FC=5 or 3:FC=1,8,1; may be repeated")
      ->allow_extra_args(false);
  addValue(*command, "--memory BYTES", request->memory, "Memory limit of the tables, as in 4GiB (1GiB)");
  addValue(*command, "--time-limit SECONDS", request->timeLimit,
           "Seconds after which the search ends with its best answer and a lower bound (none)");
  addValue(*command, "--stages N|auto", request->stages, "Number of pipeline stages, or auto for the best number (1)");
  addGraphOptions(*command, request->graph);
  command->add_flag("--list", request->list, "List the bundled graphs");
  command->add_flag("--as-workload", request->asWorkload, "Print the communication of the strategy as a workload");
  command->add_flag("--as-training", request->asTraining,
                    "Print the cheapest common strategy as a plan of p2 train, for p2 export");
  command->add_flag("--flags", request->flags, "Print the launch flags or the file of the framework for that plan");
  addValue(*command, "--framework NAME", request->framework,
           "Framework of the plan: megatron, torchtitan, deepspeed, fsdp, maxtext, neuronx or any (any)");
  addValue(*command, "-o,--output FILE", request->output,
           "The file to write: the strategy, with --as-workload its workload, with --as-training its plan");
  addValue(*command, "--evaluate FILE", request->evaluate,
           "Price the strategy of this file instead of looking for the best");
  command->add_flag("--compare", request->compare, "Also price common strategies: data parallelism, FSDP, Megatron …");
  command->add_flag("--unfold", request->unfold, "List every layer, also equally split ones");
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
