// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/detail/graph_json.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "base/counted.h"
#include "base/numbers.h"
#include "text/json_value.h"
#include "text/json_writer.h"

namespace p2::inline graphs {
namespace {

constexpr std::string_view kNeedOperators =
    "a graph needs a list of operators, each with a name, a kind and its dimensions";
constexpr std::string_view kNeedDimensions =
    "\"dimensions\" gives each dimension's size, as in {\"b\": 128, \"n\": 4096}";
constexpr std::string_view kNeedTensors =
    "tensors are given as the dimensions they span, as in {\"x\": [\"b\", \"k\"]}";
constexpr std::string_view kNeedSpan =
    "write the dimension's name, with a size behind = where it has another, as in h=224";
constexpr std::string_view kNeedEdges = "\"edges\" lists pairs of an output and an input, as in [\"fc6.y\", \"fc7.x\"]";
constexpr std::string_view kNeedUnpriced = "\"unpriced\" lists what its source computes and its operators do not count";
constexpr std::string_view kNeedAssumed = "\"assumed\" lists what its operators take for granted, a sentence each";
constexpr double kMostElementBytes = 8;

struct RoleKey {
  Tensor::Role role;
  const char* key;
};
constexpr std::array kRoles{RoleKey{Tensor::Role::Input, "inputs"}, RoleKey{Tensor::Role::Parameter, "parameters"},
                            RoleKey{Tensor::Role::Statistic, "statistics"}, RoleKey{Tensor::Role::Output, "outputs"}};

std::vector<Dimension> readDimensions(const JsonValue& in) {
  std::vector<Dimension> dimensions;
  for (const auto& [name, size] : in.members(kNeedDimensions)) {
    dimensions.push_back({name, size.whole(1, kMostDimensionSize, "a dimension has a size of 1 to 2^40"), true, false});
  }
  return dimensions;
}

std::size_t dimensionNamed(const Operator& op, std::string_view name, const JsonValue& in) {
  const auto found = std::find_if(op.dimensions.begin(), op.dimensions.end(),
                                  [&](const Dimension& dimension) { return dimension.name == name; });
  if (found == op.dimensions.end()) {
    in.fail("\"" + op.name + "\" has no dimension \"" + std::string(name) + "\"; " + std::string(kNeedSpan));
    return 0;
  }
  return static_cast<std::size_t>(found - op.dimensions.begin());
}

/// "b" or "h=224".
void readSpan(const Operator& op, Tensor& tensor, const JsonValue& in) {
  const std::string text = in.text(kNeedSpan);
  if (in.failed()) return;
  const std::size_t equals = text.find('=');
  const std::size_t dimension = dimensionNamed(op, std::string_view(text).substr(0, equals), in);
  if (in.failed()) return;
  std::optional<std::int64_t> size = op.dimensions[dimension].size;
  if (equals != std::string::npos) size = parseInteger(std::string_view(text).substr(equals + 1));
  if (!size || *size < 1) {
    in.fail("\"" + text + "\" names no size; " + std::string(kNeedSpan));
    return;
  }
  tensor.dimensions.push_back(dimension);
  tensor.sizes.push_back(*size);
}

Tensor readTensor(const Operator& op, const std::string& name, Tensor::Role role, const JsonValue& in) {
  Tensor tensor{name, role, {}, {}};
  for (const JsonValue& item : in.items(kNeedTensors)) {
    if (!in.failed()) readSpan(op, tensor, item);
  }
  bool own = true;
  for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
    own = own && tensor.sizes[i] == op.dimensions[tensor.dimensions[i]].size;
  }
  if (own) tensor.sizes.clear();
  return tensor;
}

Operator readOperator(const JsonValue& in) {
  Operator op;
  op.name = in.at("name", kNeedOperators).text("an operator's name is a string");
  op.kind = in.at("kind", kNeedOperators).word(operatorKindFrom, "an operator's kind is a word, as in gemm");
  op.dimensions = readDimensions(in.at("dimensions", kNeedOperators));
  if (in.has("whole")) {
    for (const JsonValue& item : in.at("whole", {}).items("\"whole\" lists the dimensions that are never split")) {
      const std::size_t dimension = dimensionNamed(op, item.text(kNeedSpan), item);
      if (in.failed()) return op;
      op.dimensions[dimension].splittable = false;
    }
  }
  if (in.has("experts")) {
    const JsonValue named = in.at("experts", {});
    const std::string name = named.text("\"experts\" names the dimension that counts experts");
    const std::size_t dimension = in.failed() ? 0 : dimensionNamed(op, name, named);
    if (in.failed()) return op;
    op.dimensions[dimension].experts = true;
  }
  if (in.has("causal")) {
    const JsonValue causal = in.at("causal", {});
    op.causal = causal.boolean("\"causal\" is true or false");
    if (op.causal && op.kind != OperatorKind::Attention) causal.fail("only attention is causal; leave the key out");
  }
  for (const RoleKey& role : kRoles) {
    if (in.failed() || !in.has(role.key)) continue;
    for (const auto& [name, spans] : in.at(role.key, {}).members(kNeedTensors)) {
      if (in.failed()) break;
      op.tensors.push_back(readTensor(op, name, role.role, spans));
    }
  }
  return op;
}

/// Finds operators by name: files with thousands of them have thousands of edges.
class Ends {
 public:
  explicit Ends(const ComputationGraph& graph) : m_graph(graph) {
    for (std::size_t i = 0; i < graph.operators.size(); ++i) m_operators.emplace(graph.operators[i].name, i);
  }

  /// "fc6.y" as operator and tensor. Operators may have dots in their names, tensors have none.
  [[nodiscard]] std::pair<std::size_t, std::size_t> read(const JsonValue& in) const {
    const std::string text = in.text(kNeedEdges);
    if (in.failed()) return {};
    const std::size_t dot = std::min(text.rfind('.'), text.size());
    const auto op = m_operators.find(text.substr(0, dot));
    if (op == m_operators.end()) {
      in.fail("there is no operator \"" + text.substr(0, dot) + "\"; " + std::string(kNeedEdges));
      return {};
    }
    const std::vector<Tensor>& tensors = m_graph.operators[op->second].tensors;
    const std::string name = text.substr(std::min(dot + 1, text.size()));
    const auto tensor = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
    if (tensor == tensors.end()) {
      in.fail("\"" + op->first + "\" has no tensor \"" + name + "\"; " + std::string(kNeedEdges));
      return {};
    }
    return {op->second, static_cast<std::size_t>(tensor - tensors.begin())};
  }

 private:
  const ComputationGraph& m_graph;
  std::map<std::string, std::size_t> m_operators;
};

void readEdges(ComputationGraph& graph, const JsonValue& in) {
  const Ends ends(graph);
  for (const JsonValue& item : in.items(kNeedEdges)) {
    const std::vector<JsonValue> pair = item.items(kNeedEdges);
    if (!in.failed() && pair.size() != 2) item.fail(countedText(pair.size(), "end") + "; " + std::string(kNeedEdges));
    if (in.failed()) return;
    const auto [from, fromTensor] = ends.read(pair[0]);
    const auto [to, toTensor] = ends.read(pair[1]);
    graph.edges.push_back({from, fromTensor, to, toTensor});
  }
}

void writeTensors(JsonWriter& out, const Operator& op, const RoleKey& role) {
  bool any = false;
  for (const Tensor& tensor : op.tensors) {
    if (tensor.role != role.role) continue;
    if (!any) out.key(role.key).beginObject();
    any = true;
    out.key(tensor.name).beginArray();
    for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
      const Dimension& dimension = op.dimensions[tensor.dimensions[i]];
      const std::int64_t size = op.sizeAlong(tensor, i);
      out.text(size == dimension.size ? dimension.name : dimension.name + "=" + std::to_string(size));
    }
    out.end();
  }
  if (any) out.end();
}

void writeOperator(JsonWriter& out, const Operator& op) {
  out.beginObject(JsonWriter::Layout::OneLine);
  out.key("name").text(op.name).key("kind").text(nameOf(op.kind)).key("dimensions").beginObject();
  for (const Dimension& dimension : op.dimensions) out.key(dimension.name).whole(dimension.size);
  out.end();
  const auto whole = [](const Dimension& dimension) { return !dimension.splittable; };
  if (std::any_of(op.dimensions.begin(), op.dimensions.end(), whole)) {
    out.key("whole").beginArray();
    for (const Dimension& dimension : op.dimensions) {
      if (!dimension.splittable) out.text(dimension.name);
    }
    out.end();
  }
  if (const auto experts = expertDimension(op)) out.key("experts").text(op.dimensions[*experts].name);
  if (op.causal) out.key("causal").boolean(true);
  for (const RoleKey& role : kRoles) writeTensors(out, op, role);
  out.end();
}

}  // namespace

Result<ComputationGraph> graphFromJson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto json, parseJson(text, std::move(stop)));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  (void)readHeader(in, {kGraphFormat});
  ComputationGraph graph;
  graph.name = in.at("name", "a graph needs a name").text("a graph's name is a string");
  if (in.has("source")) graph.source = in.at("source", {}).text("\"source\" says in words where the sizes come from");
  if (in.has("element_bytes")) {
    graph.elementBytes = in.at("element_bytes", {}).number(1, kMostElementBytes, "an element has 1 to 8 bytes");
  }
  const auto readWords = [&](const char* key, std::string_view need, std::vector<std::string>& words) {
    if (!in.has(key)) return;
    for (const JsonValue& item : in.at(key, {}).items(need)) words.push_back(item.text(need));
  };
  readWords("unpriced", kNeedUnpriced, graph.unpriced);
  readWords("assumed", kNeedAssumed, graph.assumed);
  for (const JsonValue& item : in.at("operators", kNeedOperators).items(kNeedOperators)) {
    if (!problem) graph.operators.push_back(readOperator(item));
  }
  if (!problem && in.has("edges")) readEdges(graph, in.at("edges", {}));
  if (problem) return *problem;
  return validated(std::move(graph));
}

std::string graphToJson(const ComputationGraph& graph) {
  std::ostringstream text;
  JsonWriter out(text);
  out.beginObject();
  out.key("format").text(kGraphFormat).key("version").whole(kFormatVersion);
  out.key("name").text(graph.name);
  if (!graph.source.empty()) out.key("source").text(graph.source);
  if (graph.elementBytes > 0) out.key("element_bytes").number(graph.elementBytes);
  const auto writeWords = [&](const char* key, const std::vector<std::string>& words) {
    if (words.empty()) return;
    out.key(key).beginArray();
    for (const std::string& each : words) out.text(each);
    out.end();
  };
  writeWords("unpriced", graph.unpriced);
  writeWords("assumed", graph.assumed);
  out.key("operators").beginArray();
  for (const Operator& op : graph.operators) writeOperator(out, op);
  out.end();
  out.key("edges").beginArray();
  for (const ComputationGraph::Edge& edge : graph.edges) {
    const Operator& from = graph.operators[edge.from];
    const Operator& to = graph.operators[edge.to];
    out.beginArray(JsonWriter::Layout::OneLine);
    out.text(from.name + "." + from.tensors[edge.fromTensor].name);
    out.text(to.name + "." + to.tensors[edge.toTensor].name).end();
  }
  out.end().end();
  return text.str();
}

}  // namespace p2::inline graphs
