// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_mapping.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "app/cli/listing.h"
#include "app/cli/terminal_progress.h"
#include "base/units.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

const MappedProblem& mappedOf(const StrategyQuestion& question) { return question.mapped->solution.mapped; }

const Strategy& bestOf(const StrategyQuestion& question) {
  return question.mapped->solution.bounded.solution.strategies.front();
}

const AxisAssignment& assignmentOf(const StrategyQuestion& question, std::size_t vertex) {
  const MappedProblem& mapped = mappedOf(question);
  return mapped.assignments[question.problem.vertices[vertex].domain][bestOf(question).choice[vertex]];
}

void writeTransfers(JsonWriter& json, const std::vector<Transfer>& transfers) {
  json.key("transfers").beginArray();
  for (const Transfer& transfer : transfers) {
    json.beginObject(JsonWriter::Layout::OneLine).key("for").text(nameOf(transfer.purpose));
    json.key("collective").text(nameOf(transfer.collective)).key("axes").text(meshAxesText(transfer.axes));
    json.key("bytes").number(transfer.bytes.value()).key("times").number(transfer.times);
    json.key("seconds").number(transfer.seconds).end();
  }
  json.end();
}

void writeMesh(JsonWriter& json, const StrategyQuestion& question) {
  const Mesh& mesh = mappedOf(question).mesh;
  json.key("mesh").beginObject().key("axes").beginArray();
  for (const Axis& axis : mesh.axes()) {
    json.beginObject(JsonWriter::Layout::OneLine).key("name").text(axis.name).key("size").whole(axis.size).end();
  }
  json.end().key("matrix");
  writeMatrix(json, mesh.matrix);
  json.key("leaves_out").text(meshLeavesOut(isRouted(question.source->graph))).end();
  json.key("meshes").beginObject(JsonWriter::Layout::OneLine);
  json.key("all").whole(static_cast<std::int64_t>(question.mapped->solution.meshes));
  json.key("solved").whole(static_cast<std::int64_t>(question.mapped->solution.solved)).end();
}

/// Per vertex the axes that cut each of its dimensions: "" for whole ones.
void writeAxes(JsonWriter& json, const StrategyQuestion& question) {
  const auto& operators = question.source->graph.operators;
  json.key("axes").beginObject();
  for (std::size_t v = 0; v < operators.size(); ++v) {
    json.key(operators[v].name).beginArray(JsonWriter::Layout::OneLine);
    for (std::size_t d = 0; d < operators[v].dimensions.size(); ++d) {
      json.text(meshAxesText(assignmentOf(question, v).axesOf(d)));
    }
    json.end();
  }
  json.end();
}

void writeActions(JsonWriter& json, const StrategyQuestion& question) {
  const ComputationGraph& graph = question.source->graph;
  const Mapping& mapping = question.mapped->mapping;
  json.key("operators").beginArray();
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    json.beginObject().key("name").text(graph.operators[v].name).key("compute").number(mapping.computeSeconds[v]);
    writeTransfers(json, mapping.vertices[v]);
    json.end();
  }
  json.end().key("edges").beginArray();
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const ComputationGraph::Edge& edge = graph.edges[e];
    const Operator& from = graph.operators[edge.from];
    const Operator& to = graph.operators[edge.to];
    json.beginObject().key("from").text(from.name).key("output").text(from.tensors[edge.fromTensor].name);
    json.key("to").text(to.name).key("input").text(to.tensors[edge.toTensor].name);
    writeTransfers(json, mapping.edges[e]);
    json.end();
  }
  json.end();
}

/// Device → coordinates → part → indices.
void writePlaces(JsonWriter& json, const StrategyQuestion& question) {
  const ComputationGraph& graph = question.source->graph;
  const Mesh& mesh = mappedOf(question).mesh;
  const Placement placement(mesh.axes(), mesh.matrix);
  json.key("mapping").beginObject().key("devices").beginArray();
  for (const Device device : placement.devices()) json.wholes(placement.coordinates(device));
  json.end().key("tensors").beginArray();
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    const Operator& op = graph.operators[v];
    for (const Tensor& tensor : op.tensors) {
      json.beginObject(JsonWriter::Layout::OneLine).key("operator").text(op.name).key("tensor").text(tensor.name);
      json.key("dimensions").beginArray();
      for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
        const MeshAxes axes = assignmentOf(question, v).axesOf(tensor.dimensions[i]);
        json.beginObject()
            .key("name")
            .text(op.dimensions[tensor.dimensions[i]].name)
            .key("axes")
            .text(meshAxesText(axes));
        json.key("parts").beginArray();
        const std::int64_t parts = mesh.sizeOf(axes);
        for (std::int64_t part = 0; part < parts; ++part) {
          const IndexRange range = rangeOf(op.sizeAlong(tensor, i), parts, part);
          json.wholes({range.first, range.end});
        }
        json.end().end();
      }
      json.end().end();
    }
  }
  json.end().end();
}

std::string transferText(const Transfer& transfer) {
  return std::string(nameOf(transfer.collective)) + " over " + meshAxesText(transfer.axes) +
         (transfer.purpose == Transfer::Purpose::Backward ? " back" : "");
}

}  // namespace

Result<void> solveOnMesh(const StrategyRequest& request, StrategyQuestion& question) {
  const PricedGraph& source = *question.source;
  auto& prices = dynamic_cast<HierarchicalPrices&>(*source.pricer);
  SimulatedMeshPricer pricer(prices);
  MappedRequest wanted;
  P2_TRY_ASSIGN(wanted.solving, solveOptionsOf(request, question.problem));
  P2_TRY_ASSIGN(wanted.limits.pins, mappedPinsOf(request, source.graph));
  GraphCostOptions options = source.options;
  if (request.evaluate) {
    // Whether it fits is said, not asked.
    options.deviceMemory = Bytes(0);
    P2_TRY_ASSIGN(auto plan, strategyPlanOf(request, source.graph));
    if (plan.mesh) {
      P2_TRY(checkMatrix(prices.system(), plan.mesh->axes(), plan.mesh->matrix).within("--evaluate"));
    }
    wanted.limits.pins = std::move(plan.pins);
    wanted.mesh = std::move(plan.mesh);
  }
  TerminalProgress telling(request.evaluate ? "pricing the strategy" : "finding the best strategy");
  auto solution = solveMapped(source.graph, options, prices.system(), pricer, wanted, {}, telling.progress());
  P2_TRY(solution);
  const MappedGraph graph(source.graph, source.options);
  MappedAnswer answer{std::move(solution).value(), {}, {}};
  const Strategy& best = answer.solution.bounded.solution.strategies.front();
  P2_TRY_ASSIGN(answer.mapping, mappingOf(graph, answer.solution.mapped, best, pricer));
  P2_TRY_ASSIGN(answer.needs, mappedNeeds(graph, answer.solution.mapped, answer.mapping, prices));
  question.problem = answer.solution.mapped.problem;
  question.mapped = std::move(answer);
  return {};
}

void writeMapping(JsonWriter& json, const StrategyQuestion& question) {
  writeMesh(json, question);
  writeAxes(json, question);
  const CostSplit split = splitOf(question.mapped->mapping);
  json.key("split").beginObject(JsonWriter::Layout::OneLine).key("compute").number(split.compute);
  json.key("reduce").number(split.reduce).key("exchange").number(split.exchange).end();
  writeActions(json, question);
  writePlaces(json, question);
}

std::string meshLines(const StrategyQuestion& question) {
  const MappedSolution& solution = question.mapped->solution;
  const CostSplit split = splitOf(question.mapped->mapping);
  return "mesh " + meshText(solution.mapped.mesh) + ", placed by " + solution.mapped.mesh.matrix.text() +
         ", the best of " + std::to_string(solution.meshes) + (solution.meshes == 1 ? " mesh" : " meshes") +
         "\ncompute " + formatSeconds(split.compute) + ", reduce " + formatSeconds(split.reduce) + ", exchange " +
         formatSeconds(split.exchange) + "\nleaves out " + meshLeavesOut(isRouted(question.source->graph)) + "\n";
}

std::string cutText(const StrategyQuestion& question, std::size_t vertex) {
  const Operator& op = question.source->graph.operators[vertex];
  std::string text;
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    const MeshAxes axes = assignmentOf(question, vertex).axesOf(d);
    if (axes != 0) text += (text.empty() ? "" : ", ") + meshAxesText(axes) + " on " + op.dimensions[d].name;
  }
  return text;
}

void writeExchanges(std::ostream& out, const StrategyQuestion& question, const StrategyFolds& folds) {
  const ComputationGraph& graph = question.source->graph;
  const auto& edges = question.mapped->mapping.edges;
  const auto secondsOf = [&](std::size_t edge) {
    return std::accumulate(edges[edge].begin(), edges[edge].end(), 0.0,
                           [](double sum, const Transfer& transfer) { return sum + transfer.seconds; });
  };
  std::vector<std::size_t> order;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!edges[e].empty()) order.push_back(e);
  }
  if (order.empty()) return;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return secondsOf(a) > secondsOf(b); });
  FoldedEdges rows(folds);
  for (const std::size_t e : order) {
    std::string by;
    for (const Transfer& transfer : edges[e]) by += (by.empty() ? "" : ", ") + transferText(transfer);
    const StrategyProblem::Edge ends{graph.edges[e].from, graph.edges[e].to, 0};
    const std::string time = formatSeconds(secondsOf(e));
    rows.add(ends, {graph.operators[ends.from].name, graph.operators[ends.to].name, time, by}, time + by);
  }
  TextTable table({{"from"}, {"to"}, {"time", TextTable::Align::Right}, {"by"}, {""}});
  for (auto& row : std::move(rows).rows()) table.add(std::move(row));
  out << '\n' << table.text();
}

}  // namespace p2::cli
