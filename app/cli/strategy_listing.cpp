// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_listing.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "app/cli/listing.h"
#include "app/cli/output.h"
#include "app/cli/strategy_folds.h"
#include "app/cli/strategy_mapping.h"
#include "app/cli/strategy_pricing.h"
#include "app/cli/strategy_reservations.h"
#include "base/numbers.h"
#include "base/units.h"
#include "text/json_writer.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

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

/// Bytes and seconds are those of all its operators together.
void writeNeed(JsonWriter& json, const StrategyNeed& need) {
  json.beginObject().key("axes").beginArray();
  for (const Axis& axis : need.axes) {
    json.beginObject(JsonWriter::Layout::OneLine).key("name").text(axis.name).key("size").whole(axis.size);
    json.key("reduce").boolean(axis.reduce).end();
  }
  json.end()
      .key("collective")
      .text(need.collective)
      .key("bytes")
      .number(need.bytes.value())
      .key("seconds")
      .number(need.seconds);
  if (!need.matrix.empty()) {
    json.key("matrix");
    writeMatrix(json, need.matrix);
    json.key("program").text(need.program);
  }
  json.key("operators").beginArray();
  for (const std::string& name : need.operators) json.text(name);
  json.end().end();
}

/// Nobody planned what was read from a file or found by the literal solver.
bool isPlanned(const SolveStatistics& statistics) {
  return !statistics.order.empty() || statistics.method == SolveMethod::BranchAndBound;
}

void writePlan(JsonWriter& json, const SolveStatistics& statistics) {
  if (!isPlanned(statistics)) return;
  json.key("plan").beginObject(JsonWriter::Layout::OneLine).key("method").text(nameOf(statistics.method));
  if (!statistics.order.empty()) json.key("order").text(statistics.order);
  json.key("cells").whole(static_cast<std::int64_t>(statistics.cells));
  json.key("bytes").whole(static_cast<std::int64_t>(statistics.bytes));
  json.key("dominated").whole(static_cast<std::int64_t>(statistics.dominated));
  json.key("excluded").whole(static_cast<std::int64_t>(statistics.excluded));
  json.key("parts").whole(static_cast<std::int64_t>(statistics.nodes));
  json.key("text").text(planText(statistics)).end();
}

StepMemory memoryOf(const StrategyListing& listing, const Strategy& strategy) {
  const PricedGraph& source = *listing.question.source;
  return memoryOf(source.graph, listing.question.problem, strategy, source.options.wordBytes, source.options.memory);
}

void writeMemory(JsonWriter& json, const StrategyListing& listing) {
  const StepMemory memory = memoryOf(listing, listing.solution().strategies[0]);
  json.key("memory").beginObject(JsonWriter::Layout::OneLine);
  json.key("total").number(memory.total().value()).key("parameters").number(memory.parameters.value());
  json.key("gradients").number(memory.gradients.value()).key("optimizer").number(memory.optimizer.value());
  json.key("activations").number(memory.activations.value());
  const Bytes limit = *listing.question.source->options.deviceMemory;
  if (limit > Bytes(0)) json.key("limit").number(limit.value());
  json.end();
}

/// "memory 41.2 GB of 80.0 GB a device: parameters 1.20 GB, …".
std::string memoryText(const StrategyListing& listing) {
  const StepMemory memory = memoryOf(listing, listing.solution().strategies[0]);
  const Bytes limit = *listing.question.source->options.deviceMemory;
  return "memory " + formatBytes(memory.total()) + (limit > Bytes(0) ? " of " + formatBytes(limit) : "") +
         " a device: parameters " + formatBytes(memory.parameters) + ", gradients " + formatBytes(memory.gradients) +
         ", optimizer " + formatBytes(memory.optimizer) + ", activations " + formatBytes(memory.activations) + "\n";
}

std::string partsText(const Configuration& parts) {
  std::string text;
  for (const std::int64_t part : parts) text += (text.empty() ? "" : " × ") + std::to_string(part);
  return text;
}

std::string problemTitle(const StrategyProblem& problem) {
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

/// Those of a graph are seconds; those of cost tables whatever their author meant.
std::string costText(const StrategyListing& listing, double cost) {
  return listing.question.source ? formatSeconds(cost) : exactNumber(cost);
}

/// "0.13 %"
std::string gapText(double share) {
  constexpr double kPercent = 100;
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.2g %%", kPercent * share);
  return text;
}

/// What is known of the best: that nothing is cheaper, or how much cheaper something could be.
std::string certaintyText(const StrategyListing& listing) {
  const double cost = listing.solution().strategies[0].cost;
  if (listing.evaluated) return ", evaluated";
  const auto& source = listing.question.source;
  const bool all = !source || source->graph.unpriced.empty();
  if (listing.bounded.optimal) return all ? ", optimal" : ", optimal for what is priced";
  const bool bounded = source && *source->options.deviceMemory > Bytes(0);
  const double bound = listing.bounded.lowerBound;
  return std::string(", the cheapest found") + (bounded ? " that fits; none that fits" : "; none") +
         " costs less than " + costText(listing, bound) + ", a gap of " + gapText(1 - bound / cost);
}

/// Nothing is optimal of which a part has no price.
void writeCertainty(JsonWriter& json, const StrategyListing& listing) {
  const bool proven = listing.bounded.optimal && !listing.evaluated;
  const auto& source = listing.question.source;
  writeOptimality(json, proven, source ? &source->graph : nullptr);
  if (listing.bounded.optimal || listing.evaluated) return;
  json.key("lower_bound").number(listing.bounded.lowerBound);
  json.key("gap").number(1 - listing.bounded.lowerBound / listing.solution().strategies[0].cost);
}

double costOfEdge(const StrategyProblem& problem, const StrategyProblem::Edge& edge, const Strategy& strategy) {
  return problem.tables[edge.table].at(strategy.choice[edge.from], strategy.choice[edge.to]);
}

void writeEdges(JsonWriter& json, const StrategyProblem& problem, const Strategy& strategy) {
  json.key("edges").beginArray();
  for (const StrategyProblem::Edge& edge : problem.edges) {
    json.beginObject(JsonWriter::Layout::OneLine).key("from").text(problem.vertices[edge.from].name);
    json.key("to").text(problem.vertices[edge.to].name).key("cost").number(costOfEdge(problem, edge, strategy)).end();
  }
  json.end();
}

/// Edges that cost something, dearest first.
void writeEdges(std::ostream& out, const StrategyListing& listing, const StrategyFolds& folds) {
  const StrategyProblem& problem = listing.question.problem;
  const Strategy& best = listing.solution().strategies[0];
  std::vector<StrategyProblem::Edge> edges = problem.edges;
  std::erase_if(edges, [&](const auto& edge) { return costOfEdge(problem, edge, best) == 0; });
  if (edges.empty()) return;
  std::stable_sort(edges.begin(), edges.end(), [&](const auto& a, const auto& b) {
    return costOfEdge(problem, a, best) > costOfEdge(problem, b, best);
  });
  FoldedEdges rows(folds);
  for (const StrategyProblem::Edge& edge : edges) {
    const std::string cost = costText(listing, costOfEdge(problem, edge, best));
    rows.add(edge, {problem.vertices[edge.from].name, problem.vertices[edge.to].name, cost}, cost);
  }
  TextTable table({{"from"}, {"to"}, {"exchange", Align::Right}, {""}});
  for (auto& row : std::move(rows).rows()) table.add(std::move(row));
  out << '\n' << table.text();
}

/// "b 4 · n 2"
std::string axesText(const std::vector<Axis>& axes, bool reducedOnly) {
  std::string text;
  for (const Axis& axis : axes) {
    if (!reducedOnly || axis.reduce) text += (text.empty() ? "" : " · ") + axis.name + " " + std::to_string(axis.size);
  }
  return text;
}

void writeNeeds(std::ostream& out, const std::vector<StrategyNeed>& needs) {
  std::vector<TextTable::Column> columns{
      {"axes"}, {"reduce"}, {"bytes", Align::Right}, {"time", Align::Right}, {"operators", Align::Right}};
  const bool placed = !needs.front().matrix.empty();
  columns.insert(columns.begin(), {"collective"});
  if (placed) columns.insert(columns.end(), {{"placement"}, {"best program"}});
  TextTable table(std::move(columns));
  for (const StrategyNeed& need : needs) {
    std::vector<std::string> cells{
        need.collective,         axesText(need.axes, false),  axesText(need.axes, true),
        formatBytes(need.bytes), formatSeconds(need.seconds), std::to_string(need.operators.size())};
    if (placed) cells.insert(cells.end(), {need.matrix.text(), need.program});
    table.add(std::move(cells));
  }
  out << '\n' << table.text();
}

void writeOperators(std::ostream& out, const StrategyListing& listing, const StrategyFolds& folds) {
  const StrategyProblem& problem = listing.question.problem;
  const Strategy& best = listing.solution().strategies[0];
  const bool mapped = listing.question.mapped.has_value();
  const auto cellsOf = [&](std::size_t v) {
    const ConfigurationDomain& domain = problem.domainOf(v);
    const std::size_t choice = best.choice[v];
    return std::vector{partsText(domain.configurations[choice]),
                       mapped ? cutText(listing.question, v) : std::to_string(choice),
                       costText(listing, domain.costs[choice])};
  };
  TextTable table({{"operator"},
                   {"parts"},
                   mapped ? TextTable::Column{"axes"} : TextTable::Column{"configuration", Align::Right},
                   {"own cost", Align::Right}});
  std::vector<std::size_t> order(problem.vertices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const FoldedRow& row : folds.rows(order, cellsOf)) {
    std::vector<std::string> cells{row.copies, row.as};
    if (row.copies.empty()) {
      cells = cellsOf(row.vertex);
      cells.insert(cells.begin(), problem.vertices[row.vertex].name);
    }
    table.add(std::move(cells));
  }
  out << table.text();
}

}  // namespace

void writeJson(std::ostream& out, const StrategyListing& listing, bool several) {
  const StrategyProblem& problem = listing.question.problem;
  const Solution& solution = listing.solution();
  JsonWriter json(out);
  json.beginObject().key("name").text(problem.name).key("devices").whole(problem.devices);
  writeCertainty(json, listing);
  writePlan(json, solution.statistics);
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
  if (listing.question.source) {
    json.key("needs").beginArray();
    for (const StrategyNeed& need : listing.needs) writeNeed(json, need);
    json.end();
    writeMemory(json, listing);
    writePricing(json, *listing.question.source);
    if (listing.question.mapped) writeMapping(json, listing.question);
    if (listing.question.source->note) json.key("note").text(*listing.question.source->note);
  }
  if (!listing.question.mapped) writeEdges(json, problem, solution.strategies[0]);
  if (!listing.compared.empty()) writeCompared(json, listing.compared);
  json.end();
}

void writeText(std::ostream& out, const StrategyListing& listing) {
  const StrategyProblem& problem = listing.question.problem;
  const Solution& solution = listing.solution();
  const Strategy& best = solution.strategies[0];
  out << problemTitle(problem) << "cost " << costText(listing, best.cost) << certaintyText(listing) << '\n';
  if (solution.statistics.method != SolveMethod::Elimination) {
    out << "found by " << planText(solution.statistics) << '\n';
  }
  if (listing.question.source) out << reservationsText(listing.question.source->graph) << memoryText(listing);
  const bool mapped = listing.question.mapped.has_value();
  if (mapped) out << meshLines(listing.question);
  if (listing.question.source) out << pricingLine(*listing.question.source);
  if (listing.question.source && listing.question.source->note)
    out << "note: " << *listing.question.source->note << '\n';
  out << '\n';
  const StrategyFolds folds(problem, listing.question.source ? &listing.question.source->graph : nullptr,
                            listing.folded);
  writeOperators(out, listing, folds);
  if (mapped) writeExchanges(out, listing.question, folds);
  if (!mapped) writeEdges(out, listing, folds);
  if (!listing.needs.empty()) writeNeeds(out, listing.needs);
  if (!listing.compared.empty()) writeCompared(out, listing.question, listing.compared, best.cost);
  if (solution.strategies.size() == 1) return;
  TextTable others({{"", Align::Right}, {"cost", Align::Right}, {"otherwise than the best"}});
  for (std::size_t i = 1; i < solution.strategies.size(); ++i) {
    const Strategy& other = solution.strategies[i];
    others.add({std::to_string(i + 1), costText(listing, other.cost), differenceText(problem, best, other)});
  }
  out << '\n' << others.text();
}

}  // namespace p2::cli
