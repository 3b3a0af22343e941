// SPDX-License-Identifier: GPL-3.0-or-later
// Expands nodes that stand for others: functions, branches, fused kinds.
#include <algorithm>

#include "graphs/onnx/attributes.h"
#include "graphs/onnx/tracer.h"

namespace p2::inline graphs {
namespace {

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

}  // namespace

Result<bool> OnnxTracer::writeOut(const onnx::NodeProto& node) {
  P2_TRY_ASSIGN(const bool followed, followSequence(node));
  if (followed) return true;
  const onnx::FunctionProto* function = functionOf(node);
  if (function == nullptr && node.op_type() == "Loop" && node.domain().empty()) return writeOutLoop(node);
  const bool branches = node.op_type() == "If" && node.domain().empty() && hasInput(node, 0);
  const std::vector<onnx::NodeProto> simpler =
      function == nullptr && !branches ? rewritten(node, m_model) : std::vector<onnx::NodeProto>();
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
    const OnnxNumbers* condition = m_model.numbersOf(node.input(0));
    const char* branch = nullptr;
    if (condition != nullptr && condition->values.size() == 1) {
      branch = condition->values[0] != 0 ? "then_branch" : "else_branch";
    } else if (branch = largerBranch(node); branch != nullptr) {
      m_model.assumptions.push_back("which branch " + titleOf(node) +
                                    " takes is not known before it runs; the one with more multiply-adds is counted");
    }
    written = branch != nullptr && attributeOf(node, branch) != nullptr;
    if (written) P2_TRY(writeOutBranch(node, branch));
  }
  --m_depth;
  return written;
}

const onnx::FunctionProto* OnnxTracer::functionOf(const onnx::NodeProto& node) const {
  const auto found = m_functions.find(node.domain() + ":" + node.op_type());
  return found == m_functions.end() ? nullptr : found->second;
}

std::string OnnxTracer::freshPrefix(const onnx::NodeProto& node) {
  return (node.name().empty() ? firstOutput(node) : node.name()) + "/" + std::to_string(++m_written) + "/";
}

Result<void> OnnxTracer::writeOutFunction(const onnx::NodeProto& node, const onnx::FunctionProto& function) {
  OnnxNames names;
  const std::string prefix = freshPrefix(node);
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
  for (const auto& opset : function.opset_import()) {
    m_opsets[opset.domain() == "ai.onnx" ? "" : opset.domain()] = static_cast<int>(opset.version());
  }
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

Result<void> OnnxTracer::writeOutBranch(const onnx::NodeProto& node, const char* branch) {
  const onnx::GraphProto& graph = attributeOf(node, branch)->g();
  const OnnxNames names = innerNames(graph, freshPrefix(node));
  P2_TRY(visitInner(graph, names));
  for (int i = 0; i < graph.output_size() && i < node.output_size(); ++i) {
    if (!node.output(i).empty()) m_aliases[node.output(i)] = renamed(names, graph.output(i).name());
  }
  return {};
}

OnnxNames OnnxTracer::innerNames(const onnx::GraphProto& graph, const std::string& prefix) {
  OnnxNames names;
  for (const onnx::NodeProto& inner : graph.node()) {
    for (const std::string& output : inner.output()) {
      if (!output.empty()) names[output] = prefix + output;
    }
  }
  for (const onnx::TensorProto& weight : graph.initializer()) names[weight.name()] = prefix + weight.name();
  return names;
}

Result<void> OnnxTracer::visitInner(const onnx::GraphProto& graph, const OnnxNames& names) {
  P2_TRY(begin(graph, names));
  for (onnx::NodeProto inner : graph.node()) {
    rename(inner, names);
    P2_TRY(visit(std::move(inner)));
  }
  return {};
}

const char* OnnxTracer::largerBranch(const onnx::NodeProto& node) const {
  if (m_guesses >= kMostGuesses) return nullptr;
  const char* larger = nullptr;
  double most = -1;
  for (const char* branch : {"then_branch", "else_branch"}) {
    if (attributeOf(node, branch) == nullptr) continue;
    OnnxTracer guess = *this;
    ++guess.m_guesses;
    if (!guess.writeOutBranch(node, branch).ok()) continue;
    const double work = productsAfter(guess.m_model, m_model.nodes.size());
    if (work > most) larger = branch;
    most = std::max(most, work);
  }
  return larger;
}

}  // namespace p2::inline graphs
