// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/expander.h"

#include <algorithm>

#include "graphs/onnx/attributes.h"
#include "graphs/onnx/operators.h"
#include "graphs/onnx/rewriting.h"

namespace p2::inline graphs {
namespace {

constexpr std::size_t kMostVisits = 400'000;
constexpr std::int64_t kMostTrips = 256;
constexpr int kDeepest = 24;
constexpr int kMostGuesses = 3;  // every level of guesses doubles the work

std::string renamed(const OnnxNames& names, const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

/// With other names, also in the graphs inside of it, which see the names around them.
void rename(onnx::NodeProto& node, const OnnxNames& names) {
  for (std::string& input : *node.mutable_input()) input = renamed(names, input);
  for (std::string& output : *node.mutable_output()) output = renamed(names, output);
  for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
    if (!attribute.has_g()) continue;
    for (onnx::NodeProto& inner : *attribute.mutable_g()->mutable_node()) rename(inner, names);
    for (onnx::ValueInfoProto& output : *attribute.mutable_g()->mutable_output()) {
      output.set_name(renamed(names, output.name()));
    }
  }
}

/// Attributes that a function takes from the node that calls it.
void takeAttributes(onnx::NodeProto& inner, const onnx::NodeProto& call) {
  auto& attributes = *inner.mutable_attribute();
  for (int i = attributes.size(); i-- > 0;) {
    onnx::AttributeProto& attribute = attributes[i];
    if (attribute.has_g()) {
      for (onnx::NodeProto& node : *attribute.mutable_g()->mutable_node()) takeAttributes(node, call);
    }
    if (attribute.ref_attr_name().empty()) continue;
    const onnx::AttributeProto* given = attributeOf(call, attribute.ref_attr_name());
    if (given == nullptr) {
      attributes.DeleteSubrange(i, 1);
      continue;
    }
    const std::string name = attribute.name();
    attribute = *given;
    attribute.set_name(name);
  }
}

/// Names of a graph inside of a node, with a prefix.
OnnxNames innerNames(const onnx::GraphProto& graph, const std::string& prefix) {
  OnnxNames names;
  for (const onnx::NodeProto& inner : graph.node()) {
    for (const std::string& output : inner.output()) {
      if (!output.empty()) names[output] = prefix + output;
    }
  }
  for (const onnx::TensorProto& weight : graph.initializer()) names[weight.name()] = prefix + weight.name();
  return names;
}

void setVersions(OnnxOpsets& opsets, const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imported) {
  for (const onnx::OperatorSetIdProto& opset : imported) {
    opsets[opset.domain() == "ai.onnx" ? "" : opset.domain()] = static_cast<int>(opset.version());
  }
}

}  // namespace

OnnxExpander::OnnxExpander(const onnx::ModelProto& model) : m_proto(&model), m_tracer(model.graph().name()) {
  setVersions(m_opsets, model.opset_import());
  for (const onnx::FunctionProto& function : model.functions()) {
    m_functions.emplace(function.domain() + ":" + function.name(), &function);
  }
}

Result<OnnxModel> OnnxExpander::run() && {
  for (const onnx::ValueInfoProto& input : m_proto->graph().input()) P2_TRY(m_tracer.addInput(input));
  P2_TRY(visitInner(m_proto->graph(), {}));
  return std::move(m_tracer).finished();
}

Result<void> OnnxExpander::visit(onnx::NodeProto node) {
  if (++m_visited > kMostVisits) {
    return Error{"written out, its functions are over 400,000 nodes; save a smaller model", {}, ErrorKind::TooLarge};
  }
  for (std::string& input : *node.mutable_input()) input = resolved(std::move(input));
  if (firstOutput(node).empty()) return {};
  P2_TRY_ASSIGN(const bool written, writeOut(node));
  if (written) return {};
  return m_tracer.add(node, m_opsets);
}

/// Never followed more often than there are aliases: models that are not well formed may go round.
std::string OnnxExpander::resolved(std::string name) const {
  for (std::size_t i = 0; i < m_aliases.size(); ++i) {
    const auto alias = m_aliases.find(name);
    if (alias == m_aliases.end()) break;
    name = alias->second;
  }
  return name;
}

Result<bool> OnnxExpander::writeOut(const onnx::NodeProto& node) {
  if (auto followed = m_sequences.follow(node, m_tracer.model(), m_opsets, m_fresh)) {
    P2_TRY(take(*std::move(followed)));
    return true;
  }
  const onnx::FunctionProto* function = functionOf(node);
  if (function == nullptr && node.op_type() == "Loop" && node.domain().empty()) return writeOutLoop(node);
  const bool branches = node.op_type() == "If" && node.domain().empty() && hasInput(node, 0);
  const std::vector<onnx::NodeProto> simpler =
      function == nullptr && !branches ? rewritten(node, m_tracer.model()) : std::vector<onnx::NodeProto>();
  if (function == nullptr && !branches && simpler.empty()) return false;
  if (m_depth >= kDeepest) {
    if (branches) return false;
    return Error{"functions call each other over 24 levels deep; save a model without functions", titleOf(node)};
  }
  ++m_depth;
  if (function != nullptr) P2_TRY(writeOutFunction(node, *function));
  for (const onnx::NodeProto& each : simpler) P2_TRY(visit(each));
  bool written = true;
  if (branches) {
    const OnnxNumbers* condition = m_tracer.model().numbersOf(node.input(0));
    const char* branch = nullptr;
    if (condition != nullptr && condition->values.size() == 1) {
      branch = condition->values[0] != 0 ? "then_branch" : "else_branch";
    } else if (branch = largerBranch(node); branch != nullptr) {
      m_tracer.assume("which branch " + titleOf(node) +
                      " takes is not known before it runs; the one with more multiply-adds is counted");
    }
    written = branch != nullptr && attributeOf(node, branch) != nullptr;
    if (written) P2_TRY(writeOutBranch(node, branch));
  }
  --m_depth;
  return written;
}

const onnx::FunctionProto* OnnxExpander::functionOf(const onnx::NodeProto& node) const {
  const auto found = m_functions.find(node.domain() + ":" + node.op_type());
  return found == m_functions.end() ? nullptr : found->second;
}

Result<void> OnnxExpander::writeOutFunction(const onnx::NodeProto& node, const onnx::FunctionProto& function) {
  OnnxNames names;
  const std::string prefix = m_fresh.prefixOf(node);
  for (const onnx::NodeProto& inner : function.node()) {
    for (const std::string& output : inner.output()) {
      if (!output.empty()) names[output] = prefix + output;
    }
  }
  for (int i = 0; i < function.input_size(); ++i) {
    names[function.input(i)] = i < node.input_size() ? node.input(i) : std::string();
  }
  for (int i = 0; i < function.output_size() && i < node.output_size(); ++i) {
    if (!node.output(i).empty()) names[function.output(i)] = node.output(i);
  }
  const OnnxOpsets around = m_opsets;
  setVersions(m_opsets, function.opset_import());
  for (onnx::NodeProto inner : function.node()) {
    takeAttributes(inner, node);
    rename(inner, names);
    if (inner.name().empty())
      inner.set_name(node.name().empty() ? inner.op_type() : node.name() + "/" + inner.op_type());
    P2_TRY(visit(std::move(inner)));
  }
  m_opsets = around;
  return {};
}

Result<void> OnnxExpander::writeOutBranch(const onnx::NodeProto& node, const char* branch) {
  const onnx::GraphProto& graph = attributeOf(node, branch)->g();
  const OnnxNames names = innerNames(graph, m_fresh.prefixOf(node));
  P2_TRY(visitInner(graph, names));
  for (int i = 0; i < graph.output_size() && i < node.output_size(); ++i) {
    if (!node.output(i).empty()) m_aliases[node.output(i)] = renamed(names, graph.output(i).name());
  }
  return {};
}

Result<void> OnnxExpander::visitInner(const onnx::GraphProto& graph, const OnnxNames& names) {
  P2_TRY(m_tracer.addGraph(graph, names));
  for (onnx::NodeProto inner : graph.node()) {
    rename(inner, names);
    P2_TRY(visit(std::move(inner)));
  }
  return {};
}

/// One time after the other, where it is known how often; otherwise nothing has changed.
Result<bool> OnnxExpander::writeOutLoop(const onnx::NodeProto& node) {
  const auto trips = m_tracer.model().wholeAt(node, 0);
  const bool goes = !hasInput(node, 1) || m_tracer.model().wholeAt(node, 1).value_or(0) != 0;
  const onnx::AttributeProto* body = attributeOf(node, "body");
  if (!trips || *trips < 1 || *trips > kMostTrips || !goes || body == nullptr) return false;
  OnnxExpander trial = *this;
  const auto unrolled = trial.unroll(node, body->g(), *trips);
  if (!unrolled.ok() || !*unrolled) return false;
  *this = std::move(trial);
  return true;
}

Result<bool> OnnxExpander::unroll(const onnx::NodeProto& node, const onnx::GraphProto& body, std::int64_t trips) {
  std::vector<std::string> carried(node.input().begin() + std::min(node.input_size(), 2), node.input().end());
  const std::size_t scans = static_cast<std::size_t>(node.output_size()) -
                            std::min(carried.size(), static_cast<std::size_t>(node.output_size()));
  const auto needed = static_cast<int>(carried.size());
  if (body.input_size() < needed + 2 || body.output_size() < needed + 1 + static_cast<int>(scans)) return false;
  std::vector<std::vector<std::string>> rows(scans);
  for (std::int64_t trip = 0; trip < trips; ++trip) {
    const std::string prefix = m_fresh.prefixOf(node);
    OnnxNames names = innerNames(body, prefix);
    m_tracer.setNumbers(names[body.input(0).name()] = prefix + "trip",
                        {onnx::TensorProto::INT64, {}, {static_cast<double>(trip)}});
    m_tracer.setNumbers(names[body.input(1).name()] = prefix + "goes", {onnx::TensorProto::BOOL, {}, {1}});
    for (int i = 0; i < needed; ++i) names[body.input(i + 2).name()] = carried[static_cast<std::size_t>(i)];
    P2_TRY(visitInner(body, names));
    const auto outside = [&](int output) { return resolved(renamed(names, body.output(output).name())); };
    const OnnxNumbers* goesOn = m_tracer.model().numbersOf(outside(0));
    if (goesOn == nullptr || goesOn->values.size() != 1) return false;
    const bool more = goesOn->values[0] != 0;
    for (int i = 0; i < needed; ++i) carried[static_cast<std::size_t>(i)] = outside(i + 1);
    for (std::size_t i = 0; i < scans; ++i) rows[i].push_back(outside(needed + 1 + static_cast<int>(i)));
    if (!more) break;
  }
  for (int i = 0; i < node.output_size(); ++i) {
    const std::string& output = node.output(i);
    if (output.empty()) continue;
    if (i < needed) m_aliases[output] = carried[static_cast<std::size_t>(i)];
    if (i >= needed) P2_TRY(take(stacked(rows[static_cast<std::size_t>(i - needed)], output, 0, m_opsets, m_fresh)));
  }
  return true;
}

Result<void> OnnxExpander::take(OnnxReplacement replacement) {
  for (auto& [name, numbers] : replacement.numbers) m_tracer.setNumbers(name, std::move(numbers));
  for (auto& [name, other] : replacement.aliases) m_aliases[name] = std::move(other);
  for (onnx::NodeProto& node : replacement.nodes) P2_TRY(visit(std::move(node)));
  return {};
}

const char* OnnxExpander::largerBranch(const onnx::NodeProto& node) const {
  if (m_guesses >= kMostGuesses) return nullptr;
  const char* larger = nullptr;
  double most = -1;
  for (const char* branch : {"then_branch", "else_branch"}) {
    if (attributeOf(node, branch) == nullptr) continue;
    OnnxExpander guess = *this;
    ++guess.m_guesses;
    if (!guess.writeOutBranch(node, branch).ok()) continue;
    const double work = productsAfter(guess.m_tracer.model(), m_tracer.model().nodes.size());
    if (work > most) larger = branch;
    most = std::max(most, work);
  }
  return larger;
}

}  // namespace p2::inline graphs
