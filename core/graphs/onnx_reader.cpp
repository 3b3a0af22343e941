// SPDX-License-Identifier: GPL-3.0-or-later
// p2-onnx-reader NAME [BATCH]: an ONNX model on standard input, its computation graph as p2-graph JSON on standard
// output, a warning a line on standard error.
#include <iostream>
#include <map>
#include <new>
#include <set>

#include "base/helper_program.h"
#include "base/numbers.h"
#include "graphs/graph_json.h"
#include "graphs/onnx_import.h"
#include "graphs/onnx_operators.h"

namespace p2 {
namespace {

class Importer {
 public:
  explicit Importer(const OnnxModel& model) : m_model(model) {}

  Result<LoadedGraph> run() {
    for (const onnx::NodeProto& node : m_model.graph().node()) {
      const std::string output = firstOutput(node);
      if (output.empty() || m_model.isConstant(output)) continue;
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

Result<LoadedGraph> graphOf(const std::string& name, std::optional<std::int64_t> batch) {
  P2_TRY_ASSIGN(const auto model, OnnxModel::read(std::cin, batch));
  P2_TRY_ASSIGN(auto loaded, Importer(model).run());
  const std::string& given = model.graph().name();
  loaded.graph.name = given.empty() ? name : given;
  loaded.graph.source = "ONNX";
  P2_TRY_ASSIGN(auto graph, validated(std::move(loaded.graph)));
  return LoadedGraph{std::move(graph), std::move(loaded.warnings)};
}

std::string oneLine(std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return text;
}

int statusOf(const Error& error) {
  std::cerr << kHelperMark << oneLine(error.text()) << '\n';
  if (error.kind == ErrorKind::TooLarge) return kHelperTooLarge;
  return error.kind == ErrorKind::Failed ? kHelperFailed : kHelperRefused;
}

int answer(const std::string& name, std::optional<std::int64_t> batch) {
  const auto loaded = graphOf(name, batch);
  if (!loaded.ok()) return statusOf(loaded.error());
  for (const std::string& warning : loaded->warnings) std::cerr << kHelperMark << oneLine(warning) << '\n';
  std::cout << graphToJson(loaded->graph) << std::flush;
  return std::cout.good() ? kHelperDone : kHelperFailed;
}

}  // namespace
}  // namespace p2

int main(int argc, char** argv) {
  try {
    return p2::answer(argc > 1 ? argv[1] : "", argc > 2 ? p2::parseInteger(argv[2]) : std::nullopt);
  } catch (const std::bad_alloc&) {
    return p2::kHelperNoMemory;
  }
}
