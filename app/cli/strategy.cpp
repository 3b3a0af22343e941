// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/strategy_as_workload.h"
#include "app/cli/strategy_compare.h"
#include "app/cli/strategy_graph.h"
#include "app/cli/strategy_listing.h"
#include "app/cli/strategy_mapping.h"
#include "app/cli/strategy_pipeline.h"
#include "exporters/exporters.h"
#include "graphs/strategy_workload.h"
#include "strategy/literal/literal_solver.h"
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
  if (request.timeLimit) return Error{"the literal solver ends when it is done; use --solver exact", "--time-limit"};
  if (request.graph.deviceMemory) {
    return Error{"the literal solver keeps to no memory; use --solver exact", "--device-memory"};
  }
  if (!request.pins.empty()) return Error{"the literal solver takes no pins; use --solver exact", "--pin"};
  return Solver::Literal;
}

/// The strategy of --evaluate among the configurations of a graph's cost tables; whether it fits is said, not asked.
Result<BoundedSolution> evaluated(const StrategyRequest& request, const StrategyQuestion& question) {
  const StrategyProblem& problem = question.problem;
  P2_TRY_ASSIGN(const auto plan, strategyPlanOf(request, question.source->graph));
  Strategy strategy;
  for (std::size_t v = 0; v < plan.pins.size(); ++v) {
    const auto& all = problem.domainOf(v).configurations;
    const auto found = std::find(all.begin(), all.end(), plan.pins[v]->parts);
    if (found == all.end()) {
      return Error{"\"" + problem.vertices[v].name +
                       "\" has no such configuration in this space; allow others with --space or --cutoff",
                   "--evaluate"};
    }
    strategy.choice.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  strategy.cost = costOf(problem, strategy.choice);
  const double cost = strategy.cost;
  return BoundedSolution{{{std::move(strategy)}, {}}, cost, true};
}

Result<BoundedSolution> solved(const StrategyRequest& request, StrategyQuestion& question, Solver solver) {
  const StrategyProblem& problem = question.problem;
  if (question.source && question.source->options.model == StrategyCostModel::Hierarchical) {
    if (solver == Solver::Literal) {
      return Error{
          "the literal solver takes one list of cost tables, and every mesh has its own; use --model "
          "per-operator",
          "--solver"};
    }
    P2_TRY(solveOnMesh(request, question));
    return question.mapped->solution.bounded;
  }
  if (request.evaluate && !question.source) {
    return Error{request.file + " has cost tables, which do not name dimensions; name a graph", "--evaluate"};
  }
  if (solver == Solver::Literal) {
    P2_TRY_ASSIGN(auto solution, solveLiterally(problem));
    // Ties go to the lowest configuration, so the optimum is never lost.
    return BoundedSolution{{{*solution.strategy}, {}}, solution.strategy->cost, true};
  }
  if (request.evaluate) return evaluated(request, question);
  P2_TRY_ASSIGN(const auto options, solveOptionsOf(request, problem));
  if (question.source && *question.source->options.deviceMemory > Bytes(0)) {
    return solveWithin(problem, *question.source->options.deviceMemory, options);
  }
  return solveAnytime(problem, options);
}

Result<void> writeStrategyWorkload(const StrategyRequest& request, const StrategyQuestion& question,
                                   const Strategy& strategy, std::ostream& out) {
  if (!question.source) {
    return Error{request.file + " has cost tables, which do not say what is communicated; name a graph",
                 "--as-workload"};
  }
  const PricedGraph& priced = *question.source;
  const MappedAnswer* mapped = question.mapped ? &*question.mapped : nullptr;
  P2_TRY_ASSIGN(const auto source,
                mapped ? workloadOf(MappedGraph(priced.graph, priced.options), mapped->solution.mapped, mapped->mapping)
                       : workloadOf(priced.graph, priced.options, question.problem, strategy));
  return writeAsWorkload(source, request.output, out);
}

/// As the explorer exports it, for --evaluate.
Result<void> writeStrategy(const std::string& path, const StrategyQuestion& question, const Strategy& strategy) {
  const ComputationGraph* graph = question.source ? &question.source->graph : nullptr;
  const MappedProblem* mapped = question.mapped ? &question.mapped->solution.mapped : nullptr;
  return writeTextFile(path, strategyToJson({question.problem, graph, strategy, mapped}));
}

/// The strategy of --evaluate, where it is a pipeline.
Result<std::optional<StrategyPlan>> pipelinePlanOf(const StrategyRequest& request, const StrategyQuestion& question) {
  if (!request.evaluate || !question.source) return std::optional<StrategyPlan>();
  P2_TRY_ASSIGN(auto plan, strategyPlanOf(request, question.source->graph));
  if (plan.stages.empty()) {
    if (!request.stages || *request.stages == "1") return std::optional<StrategyPlan>();
    return Error{"the strategy of " + *request.evaluate + " has no stages; leave the option out", "--stages"};
  }
  return std::optional(std::move(plan));
}

Result<int> run(const StrategyRequest& request, std::ostream& out) {
  if (request.list) {
    writeBundledGraphs(out, request.json);
    return kDone;
  }
  if (request.file.empty()) return Error{"a file or a bundled graph is needed; see p2 strategy --list", "FILE"};
  P2_TRY_ASSIGN(const auto solver, solverOf(request));
  P2_TRY_ASSIGN(auto question, strategyQuestionOf(request));
  P2_TRY_ASSIGN(const auto plan, pipelinePlanOf(request, question));
  if (plan || (request.stages && *request.stages != "1")) {
    P2_TRY(writePipeline(request, question, plan ? &*plan : nullptr, out));
    return kDone;
  }
  P2_TRY_ASSIGN(const auto bounded, solved(request, question, solver));
  const Solution& solution = bounded.solution;
  if (request.asWorkload) {
    P2_TRY(writeStrategyWorkload(request, question, solution.strategies[0], out));
    return kDone;
  }
  if (request.output) {
    P2_TRY(writeStrategy(*request.output, question, solution.strategies[0]));
    return kDone;
  }
  P2_TRY_ASSIGN(const auto needs, needsOf(question, solution.strategies[0]));
  std::vector<ComparedStrategy> compared;
  if (request.compare) {
    P2_TRY_ASSIGN(compared, comparedStrategies(question));
  }
  const StrategyListing listing{question, bounded, needs, compared, request.evaluate.has_value(), !request.unfold};
  if (request.json) {
    writeJson(out, listing, request.best.has_value());
  } else {
    writeText(out, listing);
  }
  return kDone;
}

}  // namespace

void addStrategy(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("strategy", "Find the cheapest strategy of a computation graph");
  const auto request = std::make_shared<StrategyRequest>();
  const auto set = [request](std::optional<std::string> StrategyRequest::*member) {
    return [request, member](const std::string& text) { (*request).*member = text; };
  };
  command->add_option("FILE", request->file, "A bundled graph, or a file: computation graph, ONNX model, cost tables");
  command->add_option_function<std::string>("--devices", set(&StrategyRequest::devices),
                                            "Devices (those of the file or system, 8)");
  command->add_option_function<std::string>("--solver", set(&StrategyRequest::solver), "exact or literal (exact)");
  command->add_option_function<std::string>("--best", set(&StrategyRequest::best), "The K cheapest (1)");
  command
      ->add_option("--pin", request->pins,
                   "A vertex that must take a configuration, once for each: 3:FC=5 or 3:FC=1,8,1")
      ->allow_extra_args(false);
  command->add_option_function<std::string>("--memory", set(&StrategyRequest::memory),
                                            "Most memory for tables, as in 4GiB (1GiB)");
  command->add_option_function<std::string>("--time-limit", set(&StrategyRequest::timeLimit),
                                            "Seconds after which a search ends with a bound (none)");
  command->add_option_function<std::string>("--stages", set(&StrategyRequest::stages),
                                            "Stages of a pipeline with the passes as microbatches, or auto (1)");
  addGraphOptions(*command, request->graph);
  command->add_flag("--list", request->list, "List the bundled graphs");
  command->add_flag("--as-workload", request->asWorkload, "Print what the strategy communicates as a workload");
  command->add_option_function<std::string>("-o,--output", set(&StrategyRequest::output),
                                            "The file to write: the strategy, or with --as-workload its workload");
  command->add_option_function<std::string>("--evaluate", set(&StrategyRequest::evaluate),
                                            "Price the strategy of this file instead of looking for the best");
  command->add_flag("--compare", request->compare, "Price what people choose without a search as well");
  command->add_flag("--unfold", request->unfold, "List every layer, not one of those that are divided alike");
  command->add_flag("--json", request->json, "Print one JSON object instead of a table");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
