// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_document.h"

#include <algorithm>
#include <numeric>

#include "app/cli/answer_keys.h"
#include "app/cli/assumed.h"
#include "app/cli/listing.h"
#include "app/cli/strategy_fields.h"
#include "app/cli/strategy_folds.h"
#include "app/cli/strategy_mapping.h"
#include "graphs/bundled_graphs.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kCost{"cost", "Seconds of a training step; of cost tables in their unit"};
constexpr AnswerKey kConfiguration{"configuration", "By operator: the number of its configuration"};
constexpr AnswerKey kStrategyParts{"parts", "By operator: into how many parts each dimension is split"};
constexpr AnswerKey kStrategies{"strategies", "List of --best, cheapest first: cost, configuration and parts"};
constexpr AnswerKey kPlan{
    "plan",
    "How the strategy was found: method (elimination, bounds or branch-and-bound), order (rule of the eliminations), "
    "cells (sums that were compared), bytes (of all tables), dominated and excluded (configurations left out before "
    "and "
    "by bounds), parts (that branch and bound looked at), text"};
constexpr AnswerKey kNeeds{
    "needs",
    "Communication of the strategy, a list: collective, axes (with their size, and whether they "
    "are reduced over), bytes, seconds and operators of all that need it, on a system also matrix "
    "and program"};
constexpr AnswerKey kEdges{
    "edges",
    "List: from and to, two operators, with the cost of resharding, or in the hierarchical model "
    "output and input (the tensor) and transfers"};

using Align = TextTable::Align;
using Layout = Value::Layout;

/// Most other strategies differ in a few operators only.
constexpr std::size_t kMostDifferencesShown = 3;

std::string costOn(const StrategyInstance& instance, double cost) { return costText(cost, instance.graph != nullptr); }

/// "cost", "configuration" and "parts".
void addStrategy(Document& document, const StrategyProblem& problem, const Strategy& strategy) {
  Document configuration;
  Document parts;
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    const std::string& name = problem.vertices[v].name;
    configuration.named(name, Value::whole(static_cast<std::int64_t>(strategy.choice[v])));
    parts.named(name, Value::wholes(problem.domainOf(v).configurations[strategy.choice[v]]));
  }
  document.field(kCost, Value::number(strategy.cost));
  document.field(kConfiguration, Value::object(std::move(configuration), Layout::Lines));
  document.field(kStrategyParts, Value::object(std::move(parts), Layout::Lines));
}

/// Files and the literal solver have no plan.
bool isPlanned(const SolveStatistics& statistics) {
  return !statistics.order.empty() || statistics.method == SolveMethod::BranchAndBound;
}

void addPlan(Document& document, const SolveStatistics& statistics) {
  if (statistics.method != SolveMethod::Elimination) document.line("found by " + planText(statistics));
  if (!isPlanned(statistics)) return;
  const auto whole = [](std::uint64_t value) { return Value::whole(static_cast<std::int64_t>(value)); };
  Document plan;
  plan.field("method", Value::text(nameOf(statistics.method)));
  if (!statistics.order.empty()) plan.field("order", Value::text(statistics.order));
  plan.field("cells", whole(statistics.cells)).field("bytes", whole(statistics.bytes));
  plan.field("dominated", whole(statistics.dominated)).field("excluded", whole(statistics.excluded));
  plan.field("parts", whole(statistics.nodes)).field("text", Value::text(planText(statistics)));
  document.field(kPlan, Value::object(std::move(plan)));
}

void addHead(Document& document, const StrategyAnswer& answer) {
  const StrategyInstance& instance = *answer.instance;
  const StrategyProblem& problem = instance.problem;
  document.line(titleText(problem.name, problem.vertices.size(), problem.edges.size(), problem.devices));
  document.field("name", Value::text(problem.name)).field("devices", Value::whole(problem.devices));
  addCertainty(
      document,
      {answer.optimal, answer.evaluated, instance.deviceMemory() > Bytes(0), answer.best().cost, answer.lowerBound},
      instance);
  addPlan(document, answer.solution.statistics);
}

void addStrategies(Document& document, const StrategyListing& listing) {
  const StrategyProblem& problem = listing.answer.instance->problem;
  const auto& strategies = listing.answer.solution.strategies;
  addStrategy(document, problem, strategies.front());
  if (!listing.several) return;
  document.list(kStrategies, strategies.size(), [&](std::size_t i) {
    Document strategy;
    addStrategy(strategy, problem, strategies[i]);
    return strategy;
  });
}

/// "b 4 · n 2"
std::string axesText(const std::vector<Axis>& axes, bool reducedOnly) {
  std::string text;
  for (const Axis& axis : axes) {
    if (!reducedOnly || axis.reduce) text += (text.empty() ? "" : " · ") + axis.name + " " + std::to_string(axis.size);
  }
  return text;
}

Value axesValue(const StrategyNeed& need) {
  std::vector<Value> axes;
  for (const Axis& axis : need.axes) {
    axes.push_back(Value::object(Document()
                                     .field("name", Value::text(axis.name))
                                     .field("size", Value::whole(axis.size))
                                     .field("reduce", Value::flag(axis.reduce))));
  }
  return Value::list(std::move(axes), Layout::Lines).shownAs(axesText(need.axes, false));
}

Value operatorsValue(const StrategyNeed& need) {
  return Value::texts(need.operators).shownAs(std::to_string(need.operators.size()));
}

/// Bytes and seconds: sums over all operators of a need.
constexpr Column<StrategyNeed> kNeedColumns[] = {
    {"collective", "collective", [](const StrategyNeed& need) { return Value::text(need.collective); }, Align::Left},
    {"axes", "axes", axesValue, Align::Left},
    {"", "reduce", [](const StrategyNeed& need) { return Value::text(axesText(need.axes, true)); }, Align::Left},
    {"bytes", "bytes", [](const StrategyNeed& need) { return Value::number(need.bytes.value(), Unit::Bytes); }},
    {"seconds", "time", [](const StrategyNeed& need) { return Value::number(need.seconds, Unit::Seconds); }},
    {"operators", "operators", operatorsValue},
};
constexpr Column<StrategyNeed> kNeedPlacementColumns[] = {
    {"matrix", "placement", [](const StrategyNeed& need) { return matrixValue(need.matrix); }, Align::Left},
    {"program", "best program", [](const StrategyNeed& need) { return Value::text(need.program); }, Align::Left},
};

void addNeeds(Document& document, const StrategyListing& listing) {
  if (!listing.answer.instance->graph) return;
  std::vector<Column<StrategyNeed>> columns(std::begin(kNeedColumns), std::end(kNeedColumns));
  if (listing.answer.instance->onMesh) {
    columns.insert(columns.end(), std::begin(kNeedPlacementColumns), std::end(kNeedPlacementColumns));
  }
  if (!listing.needs.empty()) document.line("");
  Table table;
  for (const auto& column : columns) {
    table.heads.push_back({std::string(column.key), std::string(column.title), column.align, column.help});
  }
  table.count = listing.needs.size();
  table.layout = Layout::Lines;
  table.at = [columns, &needs = listing.needs](std::size_t row, std::size_t column) {
    return columns[column].value(needs[row]);
  };
  document.table(kNeeds, std::move(table));
}

/// As text the operators, each layer once.
std::string operatorsTable(const StrategyAnswer& answer, const StrategyFolds& folds) {
  const StrategyInstance& instance = *answer.instance;
  const StrategyProblem& problem = instance.problem;
  const auto cellsOf = [&](std::size_t v) {
    const ConfigurationDomain& domain = problem.domainOf(v);
    const std::size_t choice = answer.best().choice[v];
    return std::vector{partsText(domain.configurations[choice]),
                       instance.onMesh
                           ? cutText(instance.graph->operators[v], instance.mapped().assignmentOf(v, choice))
                           : std::to_string(choice),
                       costOn(instance, domain.costs[choice])};
  };
  TextTable table({{"operator"},
                   {"parts"},
                   instance.onMesh ? TextTable::Column{"axes"} : TextTable::Column{"configuration", Align::Right},
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
  return table.text();
}

double costOfEdge(const StrategyAnswer& answer, std::size_t edge) {
  const StrategyProblem& problem = answer.instance->problem;
  const StrategyProblem::Edge& ends = problem.edges[edge];
  const auto& choice = answer.best().choice;
  return problem.tables[ends.table].at(choice[ends.from], choice[ends.to]);
}

/// As text the edges that cost something, most expensive first.
std::string edgesTable(const StrategyAnswer& answer, const StrategyFolds& folds) {
  const StrategyProblem& problem = answer.instance->problem;
  std::vector<std::size_t> order;
  for (std::size_t e = 0; e < problem.edges.size(); ++e) {
    if (costOfEdge(answer, e) != 0) order.push_back(e);
  }
  if (order.empty()) return {};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return costOfEdge(answer, a) > costOfEdge(answer, b); });
  FoldedEdges rows(folds);
  for (const std::size_t e : order) {
    const StrategyProblem::Edge& edge = problem.edges[e];
    const std::string cost = costOn(*answer.instance, costOfEdge(answer, e));
    rows.add(edge, {problem.vertices[edge.from].name, problem.vertices[edge.to].name, cost}, cost);
  }
  TextTable table({{"from"}, {"to"}, {"resharding", Align::Right}, {""}});
  for (auto& row : std::move(rows).rows()) table.add(std::move(row));
  return "\n" + table.text();
}

void addEdges(Document& document, const StrategyAnswer& answer) {
  document.list(kEdges, answer.instance->problem.edges.size(), [&answer](std::size_t e) {
    const StrategyProblem& problem = answer.instance->problem;
    Document edge;
    edge.field("from", Value::text(problem.vertices[problem.edges[e].from].name));
    edge.field("to", Value::text(problem.vertices[problem.edges[e].to].name));
    edge.field("cost", Value::number(costOfEdge(answer, e)));
    return edge;
  });
}

/// How another strategy differs from the best: "12:FC 1 × 8, … 3 more".
std::string differenceText(const StrategyProblem& problem, const Strategy& best, const Strategy& other) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    if (best.choice[v] == other.choice[v] || ++count > kMostDifferencesShown) continue;
    text += (text.empty() ? "" : ", ") + problem.vertices[v].name + " " +
            partsText(problem.domainOf(v).configurations[other.choice[v]]);
  }
  return count > kMostDifferencesShown ? text + ", … " + std::to_string(count - kMostDifferencesShown) + " more" : text;
}

std::string othersTable(const StrategyAnswer& answer) {
  const auto& strategies = answer.solution.strategies;
  TextTable others({{"", Align::Right}, {"cost", Align::Right}, {"differences from the best"}});
  for (std::size_t i = 1; i < strategies.size(); ++i) {
    others.add({std::to_string(i + 1), costOn(*answer.instance, strategies[i].cost),
                differenceText(answer.instance->problem, answer.best(), strategies[i])});
  }
  return "\n" + others.text();
}

void addTables(Document& document, const StrategyListing& listing) {
  const StrategyAnswer& answer = listing.answer;
  const StrategyInstance& instance = *answer.instance;
  document.text([&answer, &instance, folded = listing.folded] {
    const StrategyFolds folds(instance.problem, instance.graph.get(), folded);
    return "\n" + operatorsTable(answer, folds) +
           (instance.onMesh ? transfersTable(answer, folds) : edgesTable(answer, folds));
  });
}

}  // namespace

std::vector<AnswerKey> strategyKeys() {
  return {kCost, kConfiguration, kStrategyParts, kStrategies, kPlan, kNeeds, kEdges};
}

Document documentOf(const StrategyListing& listing) {
  const StrategyAnswer& answer = listing.answer;
  const StrategyInstance& instance = *answer.instance;
  Document document;
  addHead(document, answer);
  addStrategies(document, listing);
  if (instance.graph) {
    const StepMemory memory = stepMemoryOf(instance, answer.best());
    addUnpriced(document, instance);
    document.line(memoryText(memory, instance.deviceMemory(), ""));
    document.field("memory", memoryValue(memory, instance.deviceMemory()));
    if (instance.onMesh) addMapping(document, answer);
    addPricing(document, instance);
    addAssumedLine(document, instance.assumed());
    addNote(document, instance);
  }
  addTables(document, listing);
  if (!instance.onMesh) addEdges(document, answer);
  addNeeds(document, listing);
  addBaselines(document, listing.baselines,
               {instance.graph != nullptr, answer.best().cost, instance.problem.devices, instance.options.memory.zero});
  if (answer.solution.strategies.size() > 1) document.text([&answer] { return othersTable(answer); });
  return document;
}

Document bundledGraphsDocument() {
  struct Graph {
    std::string name;
    std::string description;
  };
  static constexpr Column<Graph> kColumns[] = {
      {"name", "graph", [](const Graph& graph) { return Value::text(graph.name); }, Align::Left},
      {"description", "description", [](const Graph& graph) { return Value::text(graph.description); }, Align::Left},
  };
  std::vector<Graph> graphs;
  for (const BundledGraph& graph : bundledGraphs()) {
    graphs.push_back({std::string(graph.name), std::string(graph.description)});
  }
  for (const std::string& name : bundledModelNames()) {
    if (const auto loaded = graphFromArgument(name); loaded.ok()) graphs.push_back({name, loaded->graph.source});
  }
  const std::size_t count = graphs.size();
  Document document;
  document.table(
      "graphs", tableOf<Graph>(kColumns, count, [graphs = std::move(graphs)](std::size_t row) { return graphs[row]; }));
  return document;
}

}  // namespace p2::cli
