// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/file.h"

#include <onnx/onnx_pb.h>

#include <istream>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/result.h"
#include "graphs/onnx/attributes.h"
#include "graphs/onnx/dimensions.h"
#include "graphs/onnx/expander.h"
#include "graphs/onnx/model.h"
#include "graphs/onnx/operators.h"
#include "strategy/computation_graph.h"

namespace p2::inline graphs {
namespace {

/// How often each kind of node comes.
using Kinds = std::map<std::string, int>;

std::string listOf(const Kinds& kinds) {
  std::string text;
  for (const auto& [type, count] : kinds) {
    text += (text.empty() ? "" : ", ") + type + (count > 1 ? " (" + countedText(count, "time") + ")" : "");
  }
  return text;
}

class GraphOfModel {
 public:
  explicit GraphOfModel(const OnnxModel& model) : m_model(model) {}

  Result<ComputationGraph> run() {
    m_graph.name = m_model.name;
    m_graph.source = "ONNX";
    m_graph.elementBytes = m_model.elementBytes;
    m_graph.assumed = m_model.assumptions;
    for (const onnx::NodeProto& node : m_model.nodes) P2_TRY(add(node).within(node.op_type()));
    nameUnpriced();
    if (m_graph.operators.empty() && m_graph.unpriced.empty()) {
      return Error{"nothing in it is computed from its inputs; there is nothing to divide among devices"};
    }
    if (m_graph.operators.empty()) {
      return Error{"no operator of it can be priced: " + m_graph.unpriced.front()};
    }
    return std::move(m_graph);
  }

 private:
  Result<void> add(const onnx::NodeProto& node) {
    P2_TRY_ASSIGN(auto made, onnxOperator(m_model, node));
    if (!made.open.empty()) {
      ++m_open[made.open][node.op_type()];
      return {};
    }
    if (made.nothing) return {};
    if (!made.known) ++m_unknown[node.op_type()];
    const std::size_t index = m_graph.operators.size();
    for (const auto& [name, tensor] : made.taken) {
      const auto sender = m_senders.find(name);
      if (sender != m_senders.end()) {
        m_graph.edges.push_back({sender->second.first, sender->second.second, index, tensor});
      }
    }
    for (const auto& [name, tensor] : made.sent) m_senders[name] = {index, tensor};
    made.op.name = uniqueName(node.name().empty() ? node.op_type() : node.name());
    m_graph.operators.push_back(std::move(made.op));
    return {};
  }

  void nameUnpriced() {
    for (const auto& [type, count] : m_unknown) m_graph.unpriced.push_back(listOf({{type, count}}));
    for (auto [root, kinds] : m_open) {
      const int own = kinds.contains(root) ? kinds.extract(root).mapped() : 1;
      const std::string begin = listOf({{root, own}});
      m_graph.unpriced.push_back(kinds.empty() ? begin : begin + ", and where sizes depend on it " + listOf(kinds));
    }
  }

  /// Names stand in lines and cells.
  std::string uniqueName(std::string wanted) {
    for (char& c : wanted) c = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    std::string name = wanted;
    for (int i = 2; !m_names.insert(name).second; ++i) name = wanted + " " + std::to_string(i);
    return name;
  }

  const OnnxModel& m_model;
  ComputationGraph m_graph;
  std::map<std::string, std::pair<std::size_t, std::size_t>> m_senders;  // of each ONNX tensor
  Kinds m_unknown;
  std::map<std::string, Kinds> m_open;  // by the kind of node with which it begins
  std::set<std::string> m_names;
};

/// The operators of a model's nodes and what passes between them; uncounted nodes are in `unpriced`. Errors:
/// nodes whose tensors are not known or do not have the ranks they need; a model without a node that can be counted.
Result<ComputationGraph> graphOf(const OnnxModel& model) { return GraphOfModel(model).run(); }

Result<void> checkWindowsOf(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
  for (const onnx::NodeProto& node : nodes) {
    for (const char* name : {"strides", "dilations", "kernel_shape", "group"}) {
      const onnx::AttributeProto* attribute = attributeOf(node, name);
      if (attribute == nullptr) continue;
      std::vector<std::int64_t> values(attribute->ints().begin(), attribute->ints().end());
      if (attribute->type() == onnx::AttributeProto::INT) values.push_back(attribute->i());
      for (const std::int64_t value : values) {
        if (value >= 1 && value <= kMostDimensionSize) continue;
        return Error{std::string(name) + " holds " + std::to_string(value) + "; it needs numbers of 1 to 2^40",
                     titleOf(node)};
      }
    }
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) P2_TRY(checkWindowsOf(attribute.g().node()));
      for (const onnx::GraphProto& graph : attribute.graphs()) P2_TRY(checkWindowsOf(graph.node()));
    }
  }
  return {};
}

/// Shape inference divides by strides, dilations, windows and groups, also in the branches and loops inside of nodes.
/// Errors: one that is not 1 to 2^40.
Result<void> checkWindows(const onnx::ModelProto& model) {
  P2_TRY(checkWindowsOf(model.graph().node()));
  for (const onnx::FunctionProto& function : model.functions()) P2_TRY(checkWindowsOf(function.node()));
  return {};
}

}  // namespace

Result<onnx::ModelProto> modelFrom(std::istream& bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromIstream(&bytes) || !model.has_graph()) {
    return Error{"it is not an ONNX model, or it is cut short"};
  }
  return model;
}

Result<ComputationGraph> graphOf(onnx::ModelProto file, const std::string& name, const OnnxSizes& sizes) {
  P2_TRY(fixDimensions(file, sizes));
  P2_TRY(checkWindows(file));
  P2_TRY_ASSIGN(const auto model, OnnxExpander(file).run());
  P2_TRY_ASSIGN(auto graph, graphOf(model));
  if (graph.name.empty()) graph.name = name;
  return validated(std::move(graph));
}

}  // namespace p2::inline graphs
