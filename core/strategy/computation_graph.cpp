// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/computation_graph.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"
#include "strategy/topological_order.h"

namespace p2::inline strategy {
namespace {

constexpr std::array<std::string_view, kOperatorKinds> kKindNames{
    "gemm", "convolution", "attention", "embedding", "normalisation", "softmax",  "loss",    "pooling", "elementwise",
    "lstm", "concat",      "split",     "reshape",   "experts",       "dispatch", "combine", "share"};

std::string inQuotes(const std::string& name) { return "\"" + name + "\""; }

std::string operatorPointer(std::size_t index) { return "/operators/" + std::to_string(index); }

Result<void> checkDimensions(const Operator& op, const std::string& where) {
  if (op.dimensions.size() > kMostDimensions) {
    return Error{inQuotes(op.name) + " has " + countedText(op.dimensions.size(), "dimension") + "; use " +
                     std::to_string(kMostDimensions) + " at most",
                 where + "/dimensions"};
  }
  std::set<std::string_view> seen;
  for (const Dimension& dimension : op.dimensions) {
    const std::string at = where + "/dimensions/" + dimension.name;
    if (dimension.name.empty()) return Error{"a dimension needs a name", at};
    if (!seen.insert(dimension.name).second) {
      return Error{"dimension " + inQuotes(dimension.name) + " appears twice; give each its own name", at};
    }
    if (dimension.size < 1 || dimension.size > kMostDimensionSize) {
      return Error{
          "dimension " + inQuotes(dimension.name) + " has size " + std::to_string(dimension.size) + "; use 1 to 2^40",
          at};
    }
  }
  return {};
}

Result<void> checkTensor(const Operator& op, const Tensor& tensor, const std::string& where) {
  const std::string what = "tensor " + inQuotes(tensor.name) + " of " + inQuotes(op.name);
  if (tensor.name.empty() || tensor.name.find('.') != std::string::npos) {
    return Error{what + " needs a name without dots", where};
  }
  std::set<std::size_t> seen;
  for (const std::size_t dimension : tensor.dimensions) {
    if (dimension >= op.dimensions.size()) {
      return Error{what + " spans dimension " + std::to_string(dimension) + "; there are " +
                       std::to_string(op.dimensions.size()),
                   where};
    }
    if (!seen.insert(dimension).second) {
      return Error{what + " spans dimension " + inQuotes(op.dimensions[dimension].name) + " twice; once is enough",
                   where};
    }
  }
  if (!tensor.sizes.empty() && tensor.sizes.size() != tensor.dimensions.size()) {
    return Error{what + " has " + countedText(tensor.sizes.size(), "size") + " for " +
                     countedText(tensor.dimensions.size(), "dimension") + "; give one each",
                 where};
  }
  for (const std::int64_t size : tensor.sizes) {
    if (size < 1 || size > kMostDimensionSize) {
      return Error{what + " has a size of " + std::to_string(size) + "; use 1 to 2^40", where};
    }
  }
  return {};
}

/// The kinds differ in the tensors that have a part for every expert.
Result<void> checkExperts(const Operator& op, const std::string& where) {
  const auto count =
      std::count_if(op.dimensions.begin(), op.dimensions.end(), [](const Dimension& d) { return d.experts; });
  const std::string what = inQuotes(op.name) + ", of kind " + std::string(nameOf(op.kind)) + ",";
  if (count > 1) return Error{what + " has several dimensions that count experts; keep one", where + "/experts"};
  if (!isRouted(op.kind)) return {};
  if (count == 0) return Error{what + " needs the dimension that counts experts, as in \"experts\": \"e\"", where};
  const std::size_t experts = *expertDimension(op);
  const auto spans = [&](const Tensor& tensor) {
    return std::find(tensor.dimensions.begin(), tensor.dimensions.end(), experts) != tensor.dimensions.end();
  };
  const auto first = [&](Tensor::Role role) {
    return std::find_if(op.tensors.begin(), op.tensors.end(), [=](const Tensor& t) { return t.role == role; });
  };
  const auto input = first(Tensor::Role::Input);
  const auto output = first(Tensor::Role::Output);
  if (input == op.tensors.end() || output == op.tensors.end()) {
    return Error{what + " has an input and an output; give both", where};
  }
  const std::string& name = op.dimensions[experts].name;
  if (op.kind == OperatorKind::Experts) {
    const auto without = std::find_if_not(op.tensors.begin(), op.tensors.end(), spans);
    if (without == op.tensors.end()) return {};
    return Error{what + " has a part of every tensor for each expert; let " + inQuotes(without->name) + " span " +
                     inQuotes(name),
                 where};
  }
  const bool inputSpans = op.kind == OperatorKind::Combine;
  if (spans(*input) == inputSpans && spans(*output) != inputSpans) return {};
  return Error{what + " has a part for each expert of its " + (inputSpans ? "first input" : "output") +
                   " alone; let only that one span " + inQuotes(name),
               where};
}

Result<void> checkOperator(const Operator& op, const std::string& where) {
  if (op.name.empty()) return Error{"an operator needs a name", where + "/name"};
  P2_TRY(checkDimensions(op, where));
  std::set<std::string_view> seen;
  for (const Tensor& tensor : op.tensors) {
    P2_TRY(checkTensor(op, tensor, where));
    if (!seen.insert(tensor.name).second) {
      return Error{
          "tensor " + inQuotes(tensor.name) + " of " + inQuotes(op.name) + " appears twice; give each its own name",
          where};
    }
  }
  return checkExperts(op, where);
}

std::string shapeText(const Operator& op, const Tensor& tensor) {
  std::string text;
  for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
    text += (i == 0 ? "" : "×") + std::to_string(op.sizeAlong(tensor, i));
  }
  return text.empty() ? "a single number" : text;
}

Result<void> checkEdge(const ComputationGraph& graph, const ComputationGraph::Edge& edge, const std::string& where) {
  const std::size_t count = graph.operators.size();
  if (edge.from >= count || edge.to >= count) {
    return Error{
        "there is no operator " + std::to_string(std::max(edge.from, edge.to)) + "; there are " + std::to_string(count),
        where};
  }
  const Operator& from = graph.operators[edge.from];
  const Operator& to = graph.operators[edge.to];
  if (edge.fromTensor >= from.tensors.size() || from.tensors[edge.fromTensor].role != Tensor::Role::Output) {
    return Error{"an edge begins at an output; " + inQuotes(from.name) + " has none of that name", where + "/0"};
  }
  if (edge.toTensor >= to.tensors.size() || to.tensors[edge.toTensor].role != Tensor::Role::Input) {
    return Error{"an edge ends at an input; " + inQuotes(to.name) + " has none of that name", where + "/1"};
  }
  const std::string sent = shapeText(from, from.tensors[edge.fromTensor]);
  const std::string wanted = shapeText(to, to.tensors[edge.toTensor]);
  if (sent == wanted) return {};
  return Error{inQuotes(from.name) + " sends " + sent + " and " + inQuotes(to.name) + " takes " + wanted +
                   "; the shapes must be equal",
               where};
}

/// The operators on circles, and those behind them.
std::set<std::size_t> cyclicOperators(const ComputationGraph& graph) {
  std::set<std::size_t> left;
  for (std::size_t v = 0; v < graph.operators.size(); ++v) left.insert(left.end(), v);
  for (const std::size_t v : topologicalOrder(graph.operators.size(), graph.edges)) left.erase(v);
  return left;
}

/// "a → b → a": walked backwards, since every operator that is left has a predecessor that is left.
std::string cycleText(const ComputationGraph& graph, const std::set<std::size_t>& left) {
  std::map<std::size_t, std::size_t> previous;
  for (const ComputationGraph::Edge& edge : graph.edges) {
    if (left.contains(edge.from) && left.contains(edge.to)) previous[edge.to] = edge.from;
  }
  std::vector<std::size_t> walk;
  std::map<std::size_t, std::size_t> places;
  std::size_t at = *left.begin();
  while (places.emplace(at, walk.size()).second) {
    walk.push_back(at);
    at = previous.at(at);
  }
  std::string text = graph.operators[at].name;
  for (std::size_t i = walk.size(); i-- > places[at];) text += " → " + graph.operators[walk[i]].name;
  return text;
}

}  // namespace

std::string_view nameOf(OperatorKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Result<OperatorKind> operatorKindFrom(std::string_view name) {
  const auto found = std::find(kKindNames.begin(), kKindNames.end(), name);
  if (found != kKindNames.end()) return static_cast<OperatorKind>(found - kKindNames.begin());
  const std::string known = joined(kKindNames);
  return Error{"\"" + std::string(name) + "\" is not a kind of operator; use one of " + known};
}

std::optional<std::size_t> expertDimension(const Operator& op) {
  const auto found =
      std::find_if(op.dimensions.begin(), op.dimensions.end(), [](const Dimension& d) { return d.experts; });
  if (found == op.dimensions.end()) return std::nullopt;
  return static_cast<std::size_t>(found - op.dimensions.begin());
}

bool isRouted(OperatorKind kind) {
  return kind == OperatorKind::Experts || kind == OperatorKind::Dispatch || kind == OperatorKind::Combine;
}

Result<ComputationGraph> validated(ComputationGraph graph) {
  if (graph.operators.empty()) return Error{"a graph without operators; give one or more", "/operators"};
  if (graph.operators.size() > kMostOperators) {
    return Error{countedText(graph.operators.size(), "operator") + "; " + std::to_string(kMostOperators) +
                     " at most can be worked with",
                 "/operators", ErrorKind::TooLarge};
  }
  std::map<std::string_view, std::size_t> names;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    P2_TRY(checkOperator(graph.operators[i], operatorPointer(i)));
    if (const auto [first, fresh] = names.emplace(graph.operators[i].name, i); !fresh) {
      return Error{"the name " + inQuotes(graph.operators[i].name) + " already names operator " +
                       std::to_string(first->second) + "; give each its own",
                   operatorPointer(i) + "/name"};
    }
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    P2_TRY(checkEdge(graph, graph.edges[i], "/edges/" + std::to_string(i)));
  }
  if (const auto left = cyclicOperators(graph); !left.empty()) {
    return Error{"the operators form a cycle, " + cycleText(graph, left) + "; leave out one of these edges", "/edges"};
  }
  return graph;
}

}  // namespace p2::inline strategy
