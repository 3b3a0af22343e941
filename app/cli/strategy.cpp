// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/listing.h"
#include "app/cli/strategy_graph.h"
#include "base/numbers.h"
#include "base/units.h"
#include "plan/text_table.h"
#include "strategy/literal_solver.h"

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

void writeStrategy(JsonWriter& json, const StrategyProblem& problem, const Strategy& strategy) {
  json.key("cost").number(strategy.cost);
  json.key("configuration").beginObject();
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    json.key(problem.vertices[v].name).whole(static_cast<std::int64_t>(strategy.choice[v]));
  }
  json.end().key("parts").beginObject();
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    json.key(problem.vertices[v].name).wholes(problem.domainOf(v).configurations[strategy.choice[v]]);
  }
  json.end();
}

void writeJson(std::ostream& out, const StrategyProblem& problem, const Solution& solution, bool several) {
  JsonWriter json(out);
  json.beginObject().key("name").text(problem.name).key("devices").whole(problem.devices);
  json.key("optimal").boolean(true);
  writeStrategy(json, problem, solution.strategies[0]);
  if (several) {
    json.key("strategies").beginArray();
    for (const Strategy& strategy : solution.strategies) {
      json.beginObject();
      writeStrategy(json, problem, strategy);
      json.end();
    }
    json.end();
  }
  json.end();
}

std::string partsText(const Configuration& parts) {
  std::string text;
  for (const std::int64_t part : parts) text += (text.empty() ? "" : " × ") + std::to_string(part);
  return text;
}

std::string titleOf(const StrategyProblem& problem) {
  return (problem.name.empty() ? "" : problem.name + ": ") + counted(problem.vertices.size(), "operator") + ", " +
         counted(problem.edges.size(), "edge") + ", " + counted(static_cast<std::uint64_t>(problem.devices), "device") +
         "\n";
}

/// What another strategy does otherwise than the best: "12:FC 1 × 8, … 3 more".
std::string differenceText(const StrategyProblem& problem, const Strategy& best, const Strategy& other) {
  constexpr std::size_t kMostShown = 3;
  std::string text;
  std::size_t count = 0;
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    if (best.choice[v] == other.choice[v] || ++count > kMostShown) continue;
    text += (text.empty() ? "" : ", ") + problem.vertices[v].name + " " +
            partsText(problem.domainOf(v).configurations[other.choice[v]]);
  }
  return count > kMostShown ? text + ", … " + std::to_string(count - kMostShown) + " more" : text;
}

void writeText(std::ostream& out, const StrategyProblem& problem, const Solution& solution) {
  const Strategy& best = solution.strategies[0];
  out << titleOf(problem) << "cost " << exactNumber(best.cost) << ", optimal\n\n";
  TextTable table({{"operator"},
                   {"parts"},
                   {"configuration", TextTable::Align::Right},
                   {"own cost", TextTable::Align::Right}});
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    const ConfigurationDomain& domain = problem.domainOf(v);
    const std::size_t choice = best.choice[v];
    table.add({problem.vertices[v].name, partsText(domain.configurations[choice]), std::to_string(choice),
               exactNumber(domain.costs[choice])});
  }
  out << table.text();
  if (solution.strategies.size() == 1) return;
  TextTable others({{"", TextTable::Align::Right}, {"cost", TextTable::Align::Right}, {"otherwise than the best"}});
  for (std::size_t i = 1; i < solution.strategies.size(); ++i) {
    const Strategy& other = solution.strategies[i];
    others.add({std::to_string(i + 1), exactNumber(other.cost), differenceText(problem, best, other)});
  }
  out << '\n' << others.text();
}

Result<int> run(const StrategyRequest& request, std::ostream& out) {
  if (request.list) {
    writeBundledGraphs(out, request.json);
    return kDone;
  }
  if (request.file.empty()) return Error{"a file or a bundled graph is needed; see p2 strategy --list", "FILE"};
  const auto solver = solverOf(request);
  if (!solver.ok()) return solver.error();
  const auto problem = strategyProblemOf(request);
  if (!problem.ok()) return problem.error();
  const auto solution = solved(request, *problem, *solver);
  if (!solution.ok()) return solution.error();
  if (request.json) {
    writeJson(out, *problem, *solution, request.best.has_value());
  } else {
    writeText(out, *problem, *solution);
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
