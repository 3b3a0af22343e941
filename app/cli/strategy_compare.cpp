// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_compare.h"

#include "app/cli/terminal_progress.h"
#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "mapping/mapped_baselines.h"
#include "strategy/baselines.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

/// Where the cost of a strategy of a graph's cost tables goes.
CostSplit splitOf(const PricedGraph& source, const StrategyProblem& problem, const Strategy& strategy) {
  CostSplit split;
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    const ConfigurationDomain& domain = problem.domainOf(v);
    const double computing =
        static_cast<double>(source.options.passes) *
        computeSeconds(source.graph.operators[v], domain.configurations[strategy.choice[v]], source.options);
    split.compute += computing;
    split.reduce += domain.costs[strategy.choice[v]] - computing;
  }
  for (const StrategyProblem::Edge& edge : problem.edges) {
    split.exchange += problem.tables[edge.table].at(strategy.choice[edge.from], strategy.choice[edge.to]);
  }
  return split;
}

ComparedStrategy fromTables(const StrategyQuestion& question, const StrategyProblem& problem, std::string_view name,
                            const Result<Strategy>& strategy) {
  ComparedStrategy compared;
  compared.name = name;
  if (!strategy.ok()) {
    compared.reason = strategy.error().text();
    return compared;
  }
  compared.cost = strategy->cost;
  if (!question.source) return compared;
  compared.split = splitOf(*question.source, problem, *strategy);
  compared.memory = Bytes(memoryOf(problem, strategy->choice));
  const Bytes limit = *question.source->options.deviceMemory;
  compared.fits = limit == Bytes(0) || *compared.memory <= limit;
  return compared;
}

ComparedStrategy fromTables(const StrategyQuestion& question, const StrategyProblem& problem, Baseline baseline) {
  return fromTables(question, problem, nameOf(baseline), baselineStrategy(problem, baseline));
}

/// Data parallelism whose experts are sharded.
ComparedStrategy ofExperts(const StrategyQuestion& question) {
  const StrategyProblem& problem = question.problem;
  return fromTables(question, problem, nameOf(MappedBaseline::Expert), expertStrategy(question.source->graph, problem));
}

/// Data parallelism with parameters sharded, which is priced again.
Result<ComparedStrategy> fullySharded(const StrategyQuestion& question) {
  const PricedGraph& source = *question.source;
  GraphCostOptions options = source.options;
  options.memory.zero = kMostZero;
  P2_TRY_ASSIGN(const auto problem, strategyProblemFrom(source.graph, options, *source.pricer));
  ComparedStrategy compared = fromTables(question, problem, Baseline::DataParallelism);
  compared.name = nameOf(MappedBaseline::FullyShardedData);
  compared.zero = kMostZero;
  return compared;
}

Result<ComparedStrategy> onMesh(const StrategyQuestion& question, MappedBaseline baseline) {
  const PricedGraph& source = *question.source;
  auto& prices = dynamic_cast<HierarchicalPrices&>(*source.pricer);
  SimulatedMeshPricer pricer(prices);
  ComparedStrategy compared;
  compared.name = nameOf(baseline);
  if (baseline == MappedBaseline::FullyShardedData) compared.zero = kMostZero;
  TerminalProgress telling("comparing with " + compared.name);
  const auto answer =
      mappedBaseline(source.graph, source.options, prices.system(), pricer, baseline, {}, telling.progress());
  if (!answer.ok()) {
    compared.reason = answer.error().text();
    return compared;
  }
  compared.cost = answer->solution.bounded.solution.strategies.front().cost;
  compared.split = answer->split;
  compared.memory = answer->memory;
  compared.fits = answer->fits;
  compared.mesh = answer->solution.mapped.mesh.matrix.text();
  return compared;
}

}  // namespace

Result<std::vector<ComparedStrategy>> comparedStrategies(const StrategyQuestion& question) {
  std::vector<ComparedStrategy> all;
  if (question.source && question.source->options.model == StrategyCostModel::Hierarchical) {
    for (const MappedBaseline baseline : mappedBaselinesOf(question.source->graph)) {
      P2_TRY_ASSIGN(auto compared, onMesh(question, baseline));
      all.push_back(std::move(compared));
    }
    return all;
  }
  for (const Baseline baseline : kBaselines) all.push_back(fromTables(question, question.problem, baseline));
  if (question.source) {
    P2_TRY_ASSIGN(auto compared, fullySharded(question));
    all.push_back(std::move(compared));
    if (isRouted(question.source->graph)) all.push_back(ofExperts(question));
  }
  return all;
}

void writeCompared(JsonWriter& json, const std::vector<ComparedStrategy>& compared) {
  json.key("baselines").beginArray();
  for (const ComparedStrategy& each : compared) {
    json.beginObject(JsonWriter::Layout::OneLine).key("name").text(each.name);
    if (!each.reason.empty()) {
      json.key("reason").text(each.reason).end();
      continue;
    }
    json.key("cost").number(each.cost);
    if (each.split) {
      json.key("compute").number(each.split->compute).key("reduce").number(each.split->reduce);
      json.key("exchange").number(each.split->exchange);
    }
    if (each.memory) json.key("memory").number(each.memory->value()).key("fits").boolean(each.fits);
    if (!each.mesh.empty()) json.key("matrix").raw(each.mesh);
    if (each.stages > 1) json.key("stages").whole(each.stages);
    if (each.zero) json.key("zero").whole(*each.zero);
    json.end();
  }
  json.end();
}

void writeCompared(std::ostream& out, const StrategyQuestion& question, const std::vector<ComparedStrategy>& compared,
                   double best) {
  TextTable table({{"compared with"},
                   {"cost", Align::Right},
                   {"", Align::Right},
                   {"compute", Align::Right},
                   {"reduce", Align::Right},
                   {"exchange", Align::Right},
                   {"memory", Align::Right},
                   {"mesh"}});
  for (const ComparedStrategy& each : compared) {
    if (!each.reason.empty()) {
      table.add({each.name, "–", "", "", "", "", "", each.reason});
      continue;
    }
    std::vector<std::string> cells{each.name, question.source ? formatSeconds(each.cost) : exactNumber(each.cost),
                                   best > 0 ? formatFactor(each.cost / best) : ""};
    for (const auto part : {&CostSplit::compute, &CostSplit::reduce, &CostSplit::exchange}) {
      cells.push_back(each.split ? formatSeconds((*each.split).*part) : "");
    }
    cells.push_back(each.memory ? formatBytes(*each.memory) + (each.fits ? "" : ", too much") : "");
    cells.push_back(each.stages == 1 ? each.mesh
                                     : each.mesh + ", " + countedText(each.stages, "stage") + " (" + each.dealt + ")");
    table.add(std::move(cells));
  }
  out << '\n' << table.text();
  for (const ComparedStrategy& each : compared) {
    const bool isOther = each.zero && each.reason.empty() && question.source->options.memory.zero != *each.zero;
    if (!isOther || each.cost >= best) continue;
    out << each.name << " costs less at stage " << *each.zero << " of ZeRO, the search above is of stage "
        << question.source->options.memory.zero << ": --zero " << *each.zero << " finds the cheapest that has it\n";
  }
}

}  // namespace p2::cli
