// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <map>
#include <set>

#include "graphs/onnx_module.h"
#include "graphs/onnx_operators.h"

namespace p2 {
namespace {

class Importer {
 public:
  explicit Importer(const OnnxModel& model) : m_model(model) {}

  Result<LoadedGraph> run() {
    for (const onnx::NodeProto& node : m_model.graph().node()) {
      if (node.output_size() == 0 || m_model.isConstant(node.output(0))) continue;
      P2_TRY(add(node).within(node.op_type()));
    }
    for (const auto& [type, count] : m_unknown) {
      m_result.warnings.push_back("the operator " + type + " is not known" +
                                  (count > 1 ? " (" + std::to_string(count) + " times)" : "") +
                                  "; taken as elementwise");
    }
    return std::move(m_result);
  }

 private:
  Result<void> add(const onnx::NodeProto& node) {
    P2_TRY_ASSIGN(auto made, onnxOperator(m_model, node));
    ComputationGraph& graph = m_result.graph;
    const std::size_t index = graph.operators.size();
    if (!made.known) ++m_unknown[node.op_type()];
    for (const auto& [name, tensor] : made.taken) {
      const auto sender = m_senders.find(name);
      if (sender != m_senders.end())
        graph.edges.push_back({sender->second.first, sender->second.second, index, tensor});
    }
    for (const auto& [name, tensor] : made.sent) m_senders[name] = {index, tensor};
    made.op.name = uniqueName(node.name().empty() ? node.op_type() : node.name());
    graph.operators.push_back(std::move(made.op));
    return {};
  }

  std::string uniqueName(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 2; !m_names.insert(name).second; ++i) name = wanted + " " + std::to_string(i);
    return name;
  }

  const OnnxModel& m_model;
  LoadedGraph m_result;
  std::map<std::string, std::pair<std::size_t, std::size_t>> m_senders;  // of each ONNX tensor
  std::map<std::string, int> m_unknown;
  std::set<std::string> m_names;
};

Result<LoadedGraph> graphOf(const std::string& path, std::optional<std::int64_t> batch) {
  P2_TRY_ASSIGN(const auto model, OnnxModel::read(path, batch));
  auto loaded = Importer(model).run();
  if (!loaded.ok()) return loaded.error().within(path);
  const std::string& name = model.graph().name();
  loaded.value().graph.name = name.empty() ? std::filesystem::path(path).stem().string() : name;
  loaded.value().graph.source = "ONNX";
  return loaded;
}

}  // namespace
}  // namespace p2

extern "C" [[gnu::visibility("default")]] p2::ReadOnnx p2ReadOnnx;

void p2ReadOnnx(const std::string& path, std::optional<std::int64_t> batch, p2::Result<p2::LoadedGraph>& read) {
  read = p2::graphOf(path, batch);
}
