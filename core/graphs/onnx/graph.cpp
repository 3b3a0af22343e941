// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/graph.h"

#include <map>
#include <set>

#include "base/counted.h"
#include "graphs/onnx/operators.h"

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

}  // namespace

Result<ComputationGraph> graphOf(const OnnxModel& model) { return GraphOfModel(model).run(); }

}  // namespace p2::inline graphs
