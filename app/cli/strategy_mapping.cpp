// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_mapping.h"

#include <algorithm>
#include <numeric>

#include "app/cli/answer_keys.h"
#include "app/cli/strategy_fields.h"
#include "base/counted.h"
#include "base/lists.h"
#include "base/units.h"
#include "mapping/axis_names.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kDegrees{"degrees",
                             "The axes by the roles that they split, the larger share of the work first: data, tensor, "
                             "context, expert, as in tensor-data; a second axis of one role is tensor-2"};
constexpr AnswerKey kSequenceParallel{"sequence_parallel",
                                      "Whether the axes of tensor parallelism split the sequence of norms as well"};
constexpr AnswerKey kMesh{"mesh",
                          "The axes x, y, z that operators share, with their sizes, and the matrix that places them"};
constexpr AnswerKey kMeshes{"meshes", "How many meshes there are (all), and how many no bound excluded (solved)"};
constexpr AnswerKey kMeshAxes{"axes",
                              "By operator: the axes of the mesh that cut each dimension, empty for a whole one"};
constexpr AnswerKey kSplit{"split", "s, parts of the cost: compute, reduce (sums), exchange (resharding)"};
constexpr AnswerKey kOperators{
    "operators",
    "List: name, compute (s) and transfers of an operator; with the transfers of edges they add "
    "up to the cost"};
constexpr AnswerKey kTransfers{
    "transfers", "List of messages: for (the purpose), collective, axes, bytes, times (in a step), seconds"};
constexpr AnswerKey kBucketBytes{"bucket_bytes", "Bytes of the whole collective where a message is a share of one"};
constexpr AnswerKey kMapping{
    "mapping",
    "Devices with their coordinates on the mesh, and of every tensor, by dimension, its axes and "
    "the indices of its parts, first and end"};

using Layout = Value::Layout;

const AxisAssignment& assignmentOf(const StrategyAnswer& answer, std::size_t vertex) {
  return answer.instance->mapped().assignmentOf(vertex, answer.best().choice[vertex]);
}

/// The best strategy always has one.
const Mapping& mappingOf(const StrategyAnswer& answer) { return *answer.instance->mappingOf(answer.best().choice); }

Value transfersValue(const std::vector<Transfer>& transfers) {
  std::vector<Value> values;
  for (const Transfer& transfer : transfers) {
    Document fields;
    fields.field("for", Value::text(nameOf(transfer.purpose)));
    fields.field("collective", Value::text(nameOf(transfer.collective)));
    fields.field("axes", Value::text(meshAxesText(transfer.axes)));
    fields.field("bytes", Value::number(transfer.bytes.value(), Unit::Bytes));
    fields.field("times", Value::number(transfer.times));
    if (transfer.bucket > Bytes(0)) {
      fields.field(kBucketBytes, Value::number(transfer.bucket.value(), Unit::Bytes));
    }
    fields.field("seconds", Value::number(transfer.seconds, Unit::Seconds));
    values.push_back(Value::object(std::move(fields)));
  }
  return Value::list(std::move(values), Layout::Lines);
}

void addMesh(Document& document, const StrategyAnswer& answer) {
  const StrategyInstance& instance = *answer.instance;
  const Mesh& mesh = instance.mapped().mesh;
  const MappedSolution& solution = instance.onMesh->solution;
  const std::vector<std::string>& names = mappingOf(answer).axisNames;
  const bool sequence = isSequenceParallel(names, mappingOf(answer).sequenceAxes);
  document.line("mesh " + meshText(mesh, names) + (sequence ? ", sequence parallel (sp)" : "") + ", placed by " +
                mesh.matrix.text() + ", the best of " + countedText(solution.meshes, "mesh", "meshes"));
  Document fields = meshDocument(mesh, names);
  fields.field(kUnmodelledEffects, Value::text(meshUnmodelledEffects(isRouted(*instance.graph))));
  document.field(kDegrees, degreesValue(namedAxesOf(mesh, names)));
  document.field(kSequenceParallel, Value::flag(sequence));
  document.field(kMesh, Value::object(std::move(fields), Layout::Lines));
  document.field(kMeshes,
                 Value::object(Document()
                                   .field("all", Value::whole(static_cast<std::int64_t>(solution.meshes)))
                                   .field("solved", Value::whole(static_cast<std::int64_t>(solution.solved)))));
}

void addAxes(Document& document, const StrategyAnswer& answer) {
  const auto& operators = answer.instance->graph->operators;
  Document axes;
  for (std::size_t v = 0; v < operators.size(); ++v) {
    axes.named(operators[v].name, cutValue(operators[v], assignmentOf(answer, v)));
  }
  document.field(kMeshAxes, Value::object(std::move(axes), Layout::Lines));
}

void addSplit(Document& document, const StrategyAnswer& answer) {
  const CostSplit split = splitOf(*answer.instance, answer.best().choice);
  document.line("computation " + formatSeconds(split.compute) + ", reductions " + formatSeconds(split.reduce) +
                ", resharding " + formatSeconds(split.resharding));
  document.line("not modelled: " + meshUnmodelledEffects(isRouted(*answer.instance->graph)));
  document.field(kSplit, Value::object(Document()
                                           .field("compute", Value::number(split.compute, Unit::Seconds))
                                           .field("reduce", Value::number(split.reduce, Unit::Seconds))
                                           .field("exchange", Value::number(split.resharding, Unit::Seconds))));
}

void addTransfers(Document& document, const StrategyAnswer& answer) {
  const ComputationGraph& graph = *answer.instance->graph;
  const Mapping& mapping = mappingOf(answer);
  document.list(kOperators, graph.operators.size(), [&graph, &mapping](std::size_t v) {
    Document fields;
    fields.field("name", Value::text(graph.operators[v].name));
    fields.field("compute", Value::number(mapping.computeSeconds[v], Unit::Seconds));
    fields.field(kTransfers, transfersValue(mapping.vertices[v]));
    return fields;
  });
  document.list("edges", graph.edges.size(), [&graph, &mapping](std::size_t e) {
    const ComputationGraph::Edge& edge = graph.edges[e];
    const Operator& from = graph.operators[edge.from];
    const Operator& to = graph.operators[edge.to];
    Document fields;
    fields.field("from", Value::text(from.name)).field("output", Value::text(from.tensors[edge.fromTensor].name));
    fields.field("to", Value::text(to.name)).field("input", Value::text(to.tensors[edge.toTensor].name));
    fields.field(kTransfers, transfersValue(mapping.edges[e]));
    return fields;
  });
}

/// By dimension of a tensor its axes and the index ranges of its parts.
Value dimensionsValue(const StrategyAnswer& answer, std::size_t vertex, const Tensor& tensor) {
  const Operator& op = answer.instance->graph->operators[vertex];
  const Mesh& mesh = answer.instance->mapped().mesh;
  std::vector<Value> dimensions;
  for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
    const MeshAxes axes = assignmentOf(answer, vertex).axesOf(tensor.dimensions[i]);
    std::vector<Value> parts;
    const std::int64_t count = mesh.sizeOf(axes);
    for (std::int64_t part = 0; part < count; ++part) {
      const IndexRange range = rangeOf(op.sizeAlong(tensor, i), count, part);
      parts.push_back(Value::wholes(std::vector{range.first, range.end}));
    }
    Document fields;
    fields.field("name", Value::text(op.dimensions[tensor.dimensions[i]].name));
    fields.field("axes", Value::text(meshAxesText(axes))).field("parts", Value::list(std::move(parts)));
    dimensions.push_back(Value::object(std::move(fields)));
  }
  return Value::list(std::move(dimensions));
}

/// Device → coordinates → part → indices. Made when it is written: a large machine has millions of parts.
Document placesOf(const StrategyAnswer& answer) {
  const Mesh& mesh = answer.instance->mapped().mesh;
  const Placement placement(mesh.axes(), mesh.matrix);
  std::vector<Value> devices;
  for (const Device device : placement.devices()) devices.push_back(Value::wholes(placement.coordinates(device)));
  std::vector<std::pair<std::size_t, std::size_t>> tensors;
  const auto& operators = answer.instance->graph->operators;
  for (std::size_t v = 0; v < operators.size(); ++v) {
    for (std::size_t t = 0; t < operators[v].tensors.size(); ++t) tensors.emplace_back(v, t);
  }
  const std::size_t count = tensors.size();
  Document places;
  places.field("devices", Value::list(std::move(devices)));
  places.list("tensors", count, [&answer, tensors = std::move(tensors)](std::size_t i) {
    const Operator& op = answer.instance->graph->operators[tensors[i].first];
    const Tensor& tensor = op.tensors[tensors[i].second];
    Document fields;
    fields.field("operator", Value::text(op.name)).field("tensor", Value::text(tensor.name));
    fields.field("dimensions", dimensionsValue(answer, tensors[i].first, tensor));
    return fields;
  });
  return places;
}

std::string transferText(const Transfer& transfer) {
  return std::string(nameOf(transfer.collective)) + " over " + meshAxesText(transfer.axes) +
         (transfer.purpose == Transfer::Purpose::Backward ? " back" : "") +
         (transfer.purpose == Transfer::Purpose::Again ? " again" : "");
}

}  // namespace

std::vector<AnswerKey> mappingKeys() {
  return {kDegrees, kSequenceParallel, kMesh,      kMeshes,      kMeshAxes,
          kSplit,   kOperators,        kTransfers, kBucketBytes, kMapping};
}

void addMapping(Document& document, const StrategyAnswer& answer) {
  addMesh(document, answer);
  addAxes(document, answer);
  addSplit(document, answer);
  addTransfers(document, answer);
  document.field(kMapping, Value::object(placesOf(answer), Layout::Lines));
}

std::string transfersTable(const StrategyAnswer& answer, const StrategyFolds& folds) {
  const ComputationGraph& graph = *answer.instance->graph;
  const auto& edges = mappingOf(answer).edges;
  const auto secondsOf = [&](std::size_t edge) {
    return std::accumulate(edges[edge].begin(), edges[edge].end(), 0.0,
                           [](double sum, const Transfer& transfer) { return sum + transfer.seconds; });
  };
  std::vector<std::size_t> order;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!edges[e].empty()) order.push_back(e);
  }
  if (order.empty()) return {};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return secondsOf(a) > secondsOf(b); });
  FoldedEdges rows(folds);
  for (const std::size_t e : order) {
    const std::string by = joined(edges[e], ", ", [](const Transfer& transfer) { return transferText(transfer); });
    const StrategyProblem::Edge ends{graph.edges[e].from, graph.edges[e].to, 0};
    const std::string time = formatSeconds(secondsOf(e));
    rows.add(ends, {graph.operators[ends.from].name, graph.operators[ends.to].name, time, by}, time + by);
  }
  TextTable table({{"from"}, {"to"}, {"time", TextTable::Align::Right}, {"by"}, {""}});
  for (auto& row : std::move(rows).rows()) table.add(std::move(row));
  return "\n" + table.text();
}

}  // namespace p2::cli
