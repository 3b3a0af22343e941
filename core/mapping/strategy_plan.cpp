// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/strategy_plan.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/numbers.h"
#include "text/json_value.h"

namespace p2::inline mapping {
namespace {

constexpr const char* kStrategyFormat = "p2-strategy";
constexpr std::string_view kNeedVertices =
    "a strategy lists its vertices, each with a name and its parts, as in {\"name\": \"fc1\", \"parts\": {\"m\": 8}}";
constexpr std::string_view kNeedMatrix = "a mesh is the matrix that places its axes, as in [[2, 1], [1, 8]]";
constexpr std::string_view kNeedStages =
    "a stage lists its operators by name and has a mesh, as in {\"operators\": [\"fc1\"], \"mesh\": {\"matrix\": [[2, "
    "8]]}}";
constexpr std::string_view kNeedFactors =
    "\"factors\" gives the number of parts of every level of the system, as in {\"factors\": [4, 1]}";
constexpr std::string_view kNeedAxes = "axes are given by dimension, as in {\"m\": \"x\", \"n\": \"yz\"}";

class PlanReader {
 public:
  PlanReader(const Json& json, const ComputationGraph& graph)
      : m_in(json, m_problem), m_graph(graph), m_stageOf(graph.operators.size()) {
    for (std::size_t v = 0; v < graph.operators.size(); ++v) m_vertices.emplace(graph.operators[v].name, v);
  }

  Result<StrategyPlan> read() {
    (void)readHeader(m_in, {kStrategyFormat});
    m_plan.pins.resize(m_graph.operators.size());
    if (!m_problem && m_in.has("mesh")) m_plan.mesh = meshFrom(m_in.at("mesh", {}));
    if (!m_problem && m_in.has("stages")) readStages();
    for (const JsonValue& vertex : m_in.at("vertices", kNeedVertices).items(kNeedVertices)) {
      if (!m_problem) readVertex(vertex);
    }
    if (m_problem) return *m_problem;
    for (std::size_t v = 0; v < m_plan.pins.size(); ++v) {
      // The layout of a shared tensor may be left open: the solver takes the cheapest.
      if (m_plan.pins[v] || m_graph.operators[v].kind == OperatorKind::Share) continue;
      return Error{
          "the vertex \"" + m_graph.operators[v].name + "\" of the graph is missing; " + std::string(kNeedVertices),
          "/vertices"};
    }
    return std::move(m_plan);
  }

 private:
  Mesh meshFrom(const JsonValue& in) {
    const JsonValue matrix = in.at("matrix", kNeedMatrix);
    const auto parsed = parseMatrix(matrix.json().dump());
    if (m_problem) return {{}, ParallelismMatrix(0, 0)};
    if (!parsed.ok() || parsed->rows() < 1 || parsed->rows() > kMostMeshAxes) {
      matrix.fail(parsed.ok() ? "a mesh has 1 to 4 axes; " + std::string(kNeedMatrix) : parsed.error().message);
      return {{}, ParallelismMatrix(0, 0)};
    }
    Mesh mesh{{}, *parsed};
    std::optional<std::int64_t> devices = 1;
    for (std::size_t row = 0; row < parsed->rows(); ++row) {
      std::int64_t size = 1;
      for (std::size_t level = 0; level < parsed->columns(); ++level) {
        devices = checkedProduct(*devices, parsed->at(row, level));
        if (!devices || *devices > kMostStrategyDevices) {
          matrix.fail("a mesh has at most " + countedText(kMostStrategyDevices, "device"));
          return {{}, ParallelismMatrix(0, 0)};
        }
        size *= parsed->at(row, level);
      }
      mesh.sizes.push_back(size);
    }
    return mesh;
  }

  void readStages() {
    for (const JsonValue& factor : m_in.at("pipeline", kNeedFactors).at("factors", kNeedFactors).items(kNeedFactors)) {
      m_plan.factors.push_back(factor.whole(1, kMostStrategyDevices, kNeedFactors));
    }
    std::size_t count = 0;
    for (const JsonValue& each : m_in.at("stages", kNeedStages).items(kNeedStages)) {
      if (m_problem) return;
      readStage(each);
      count += m_problem ? 0 : m_plan.stages.back().operators.size();
    }
    if (m_problem || count == m_graph.operators.size()) return;
    for (std::size_t v = 0; v < m_stageOf.size(); ++v) {
      if (m_stageOf[v]) continue;
      return m_in.at("stages", kNeedStages)
          .fail("\"" + m_graph.operators[v].name + "\" is in no stage; put it into one");
    }
  }

  void readStage(const JsonValue& in) {
    StrategyPlan::Stage stage{{}, meshFrom(in.at("mesh", kNeedStages))};
    for (const JsonValue& each : in.at("operators", kNeedStages).items(kNeedStages)) {
      const std::string name = each.text(kNeedStages);
      if (m_problem) return;
      const auto vertex = m_vertices.find(name);
      if (vertex == m_vertices.end()) return each.fail("the graph has no vertex \"" + name + "\"; leave it out");
      if (m_stageOf[vertex->second]) return each.fail("\"" + name + "\" is in two stages; keep one");
      m_stageOf[vertex->second] = m_plan.stages.size();
      stage.operators.push_back(vertex->second);
    }
    if (!m_problem && stage.operators.empty())
      return in.at("operators", {}).fail("a stage has operators; leave it out");
    m_plan.stages.push_back(std::move(stage));
  }

  /// The mesh of an operator; null where the strategy has none.
  [[nodiscard]] const Mesh* meshOf(std::size_t vertex) const {
    if (m_stageOf[vertex]) return &m_plan.stages[*m_stageOf[vertex]].mesh;
    return m_plan.mesh ? &*m_plan.mesh : nullptr;
  }

  void readVertex(const JsonValue& in) {
    const JsonValue named = in.at("name", kNeedVertices);
    const std::string name = named.text(kNeedVertices);
    if (m_problem) return;
    const auto vertex = m_vertices.find(name);
    if (vertex == m_vertices.end()) return named.fail("the graph has no vertex \"" + name + "\"; leave it out");
    if (m_plan.pins[vertex->second]) return named.fail("the vertex \"" + name + "\" is there twice; keep one");
    const Operator& op = m_graph.operators[vertex->second];
    MappedPin pin{Configuration(op.dimensions.size(), 1), {}};
    for (const auto& [dimension, value] : in.at("parts", kNeedVertices).members(kNeedVertices)) {
      const auto d = dimensionOf(op, dimension, value);
      if (d) pin.parts[*d] = value.whole(1, kMostDimensionSize, "a dimension is split into 1 or more parts");
    }
    const Mesh* mesh = meshOf(vertex->second);
    if (!m_problem && in.has("axes") && mesh != nullptr) readAxes(op, in.at("axes", {}), *mesh, pin);
    m_plan.pins[vertex->second] = std::move(pin);
  }

  void readAxes(const Operator& op, const JsonValue& in, const Mesh& mesh, MappedPin& pin) {
    AxisAssignment& assignment = pin.axes.emplace();
    const std::size_t axes = mesh.sizes.size();
    for (const auto& [dimension, value] : in.members(kNeedAxes)) {
      const auto d = dimensionOf(op, dimension, value);
      const std::string names = value.text(kNeedAxes);
      if (m_problem) return;
      for (std::size_t axis = 0; axis < axes; ++axis) {
        if (names.find(meshAxisName(axis)) == std::string::npos) continue;
        if (assignment.at[axis] != AxisAssignment::kRepeated) {
          return value.fail("the axis " + meshAxisName(axis) + " of \"" + op.name + "\" cuts two dimensions; keep one");
        }
        assignment.at[axis] = static_cast<std::int8_t>(*d);
      }
    }
    const Configuration parts = partsOf(op, assignment, mesh);
    for (std::size_t d = 0; d < parts.size(); ++d) {
      if (parts[d] == pin.parts[d]) continue;
      return in.fail("the axes of \"" + op.name + "\" cut " + op.dimensions[d].name + " into " +
                     countedText(parts[d], "part") + ", not " + std::to_string(pin.parts[d]) +
                     "; make both say the same");
    }
  }

  std::optional<std::size_t> dimensionOf(const Operator& op, const std::string& name, const JsonValue& in) const {
    const auto found = std::find_if(op.dimensions.begin(), op.dimensions.end(),
                                    [&](const Dimension& dimension) { return dimension.name == name; });
    if (found != op.dimensions.end()) return static_cast<std::size_t>(found - op.dimensions.begin());
    in.fail("\"" + op.name + "\" has no dimension \"" + name + "\"; use a dimension of the graph");
    return std::nullopt;
  }

  std::optional<Error> m_problem;
  JsonValue m_in;
  const ComputationGraph& m_graph;
  std::map<std::string, std::size_t, std::less<>> m_vertices;
  StrategyPlan m_plan;
  std::vector<std::optional<std::size_t>> m_stageOf;  // by operator
};

}  // namespace

Result<StrategyPlan> strategyPlanFromJson(std::string_view text, const ComputationGraph& graph) {
  P2_TRY_ASSIGN(const auto json, parseJson(text));
  return PlanReader(json, graph).read();
}

}  // namespace p2::inline mapping
