// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/strategy_graph.h"
#include "app/cli/strategy_listing.h"
#include "strategy/literal/literal_solver.h"

namespace p2::cli {
namespace {

enum class Solver { Exact, Literal };

Result<Solver> solverOf(const StrategyRequest& request) {
  const std::string name = request.solver.value_or("exact");
  if (name == "exact") return Solver::Exact;
  if (name != "literal") return Error{"\"" + name + "\" is not a solver; use exact or literal", "--solver"};
  if (request.best) return Error{"the literal solver finds one strategy; use --solver exact", "--best"};
  if (request.memory) return Error{"the literal solver counts rows, not bytes; use --solver exact", "--memory"};
  if (!request.pins.empty()) return Error{"the literal solver takes no pins; use --solver exact", "--pin"};
  return Solver::Literal;
}

Result<Solution> solved(const StrategyRequest& request, const StrategyProblem& problem, Solver solver) {
  if (solver == Solver::Literal) {
    auto solution = solveLiterally(problem);
    if (!solution.ok()) return solution.error();
    // Ties go to the lowest configuration, so the optimum is never lost.
    return Solution{{*solution->strategy}, {}};
  }
  const auto options = solveOptionsOf(request, problem);
  if (!options.ok()) return options.error();
  auto solution = solveExactly(problem, *options);
  if (!solution.ok() && solution.error().kind == ErrorKind::TooLarge) return solution.error().within("--memory");
  return solution;
}

Result<int> run(const StrategyRequest& request, std::ostream& out) {
  if (request.list) {
    writeBundledGraphs(out, request.json);
    return kDone;
  }
  if (request.file.empty()) return Error{"a file or a bundled graph is needed; see p2 strategy --list", "FILE"};
  const auto solver = solverOf(request);
  if (!solver.ok()) return solver.error();
  const auto question = strategyQuestionOf(request);
  if (!question.ok()) return question.error();
  const auto solution = solved(request, question->problem, *solver);
  if (!solution.ok()) return solution.error();
  const auto needs = needsOf(*question, solution->strategies[0]);
  if (!needs.ok()) return needs.error();
  const StrategyListing listing{*question, *solution, *needs};
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
  command->add_option("--pin", request->pins, "A vertex that must take a configuration: 3:FC=5 or 3:FC=1,8,1")
      ->allow_extra_args(false);
  command->add_option_function<std::string>("--memory", set(&StrategyRequest::memory),
                                            "Most memory for tables, as in 4GiB (1GiB)");
  addGraphOptions(*command, request->graph);
  command->add_flag("--list", request->list, "List the bundled graphs");
  command->add_flag("--json", request->json, "Print one JSON object instead of a table");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
