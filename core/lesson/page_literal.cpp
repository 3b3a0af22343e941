// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/lists.h"
#include "base/numbers.h"
#include "lesson/bundled_lessons.h"
#include "lesson/detail/page_parts.h"

namespace p2::inline lesson {
namespace {

constexpr std::uint64_t kMostMarkedRows = 64;

void addSceneFacts(PreparedPage& prepared) {
  const LiteralSolution& solution = *prepared.solution;
  const LiteralTrace& trace = *solution.trace;
  LessonFacts& facts = prepared.facts;
  facts.set("vertices", std::to_string(prepared.problem->vertices.size()));
  facts.set("rows", exactNumber(solution.statistics.startRows));
  facts.set("steps", std::to_string(trace.moments.size()));
  facts.set("seed", std::to_string(prepared.page.literal->seed));
  facts.set("strategies", exactNumber(solution.statistics.strategies));
  facts.set("returned", solution.strategy ? exactNumber(solution.strategy->cost) : "nothing");
  if (!trace.optimum) return;
  facts.set("optimum", exactNumber(*trace.optimum));
  for (std::size_t i = 0; i < trace.moments.size(); ++i) {
    if (!trace.moments[i].invariant || trace.moments[i].invariant->holds) continue;
    facts.set("lost_step", std::to_string(i + 1));
    return;
  }
}

/// "v0 = 1, v1 = 2": the row's configurations, by what each vertex is divided into.
std::string rowText(const StrategyProblem& problem, const LiteralTable& table, std::uint64_t row) {
  std::string text;
  for (std::size_t place = 0; place < table.scope.size(); ++place) {
    const std::size_t vertex = table.scope[place];
    const Configuration& parts = problem.domainOf(vertex).configurations[table.choice(row, place)];
    const std::string value = joined(parts, "·");
    text += (text.empty() ? "" : ", ") + problem.vertices[vertex].name + " = " + value;
  }
  return text + ": cost " + exactNumber(rowCost(problem, table, row));
}

std::string fateText(const PreparedPage& prepared, std::size_t vertex, std::uint64_t row, std::size_t moment) {
  const LiteralTrace& trace = *prepared.solution->trace;
  const RowFate& fate = trace.fates[vertex][row];
  if (fate.moment < moment) return "this row was removed in an earlier step";
  if (fate.moment > moment) return "this row stays in this step";
  const std::string kept = rowText(*prepared.problem, trace.tables[vertex], fate.kept);
  switch (fate.cause) {
    case RowFate::Cause::MoreExpensive:
      return "a row of its set costs less and stays instead: " + kept;
    case RowFate::Cause::Tied:
      return "a row of its set costs as much and stays instead: " + kept;
    case RowFate::Cause::Unmatched:
      return "no row that is left of " + prepared.problem->vertices[trace.moments[fate.moment].vertex].name +
             " agrees with it";
    case RowFate::Cause::None:
      break;
  }
  return "this row stays";
}

}  // namespace

Result<void> prepareScene(PreparedPage& prepared, const LiteralScene& scene, std::stop_token stop) {
  auto problem = bundledTables(scene.tables);
  if (!problem.ok()) return problem.error().at("/literal/tables");
  prepared.problem = std::make_shared<const StrategyProblem>(std::move(problem).value());
  LiteralOptions options;
  options.ties = scene.ties;
  options.seed = scene.seed;
  options.keepTrace = true;
  auto solution = solveLiterally(*prepared.problem, options, stop);
  if (!solution.ok()) {
    return solution.error().kind == ErrorKind::Cancelled ? solution.error() : solution.error().at("/literal");
  }
  prepared.solution = std::make_shared<const LiteralSolution>(std::move(solution).value());
  addSceneFacts(prepared);
  return {};
}

Result<PaintGrid> rowGridOf(const PreparedPage& prepared, const PaintTask& task) {
  const auto& vertices = prepared.problem->vertices;
  const auto found = std::find_if(vertices.begin(), vertices.end(),
                                  [&](const StrategyProblem::Vertex& each) { return each.name == task.vertex; });
  if (found == vertices.end()) {
    return Error{"there is no vertex \"" + task.vertex + "\"; the first is " + vertices.front().name, "/task/vertex"};
  }
  const LiteralTrace& trace = *prepared.solution->trace;
  const auto moment = static_cast<std::size_t>(task.step - 1);
  if (moment >= trace.moments.size()) {
    return Error{
        "there is no step " + std::to_string(task.step) + "; the run has " + std::to_string(trace.moments.size()),
        "/task/step"};
  }
  const auto vertex = static_cast<std::size_t>(found - vertices.begin());
  const LiteralTable& table = trace.tables[vertex];
  if (table.rows > kMostMarkedRows) return Error{"the table is too long to be marked by hand", "/task/vertex"};
  PaintGrid grid;
  grid.columns = {""};
  for (std::uint64_t row = 0; row < table.rows; ++row) {
    grid.rows.push_back(rowText(*prepared.problem, table, row));
    grid.right.push_back(trace.fates[vertex][row].moment == moment);
    grid.why.push_back(fateText(prepared, vertex, row, moment));
  }
  return grid;
}

}  // namespace p2::inline lesson
