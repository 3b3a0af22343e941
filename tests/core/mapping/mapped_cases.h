// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include "mapping/mapped_solver.h"
#include "support/fixtures.h"
#include "tests/core/mapping/set_machine.h"

namespace p2::test {

/// A latency and a speed for every collective and set of axes, slower where the axes leave a node: affine in the bytes.
class AffinePricer : public MeshPricer {
 public:
  [[nodiscard]] static double price(const Mesh& mesh, MeshCollective collective, unsigned axes, double bytes) {
    std::int64_t nodes = 1;
    for (std::size_t axis = 0; axis < mesh.sizes.size(); ++axis) {
      if ((axes >> axis & 1) != 0) nodes *= mesh.matrix.at(axis, 0);
    }
    const auto members = double(mesh.sizeOf(MeshAxes(axes)));
    const double rounds = collective == MeshCollective::AllReduce ? 2 : 1;
    const double speed = nodes > 1 ? 1e9 : 7e9;
    return rounds * (1e-7 * double(nodes) + (members - 1) / members * bytes / speed);
  }
  [[nodiscard]] Result<double> secondsAt(const Mesh& mesh, MeshCollective collective, MeshAxes axes,
                                         Bytes bytes) override {
    return price(mesh, collective, axes, bytes.value());
  }
};

/// Seconds of the sum of a gradient of 4-byte elements: its share of a bucket that holds all gradients of a small
/// graph.
[[nodiscard]] inline double gradientShare(const Mesh& mesh, unsigned axes, double elements, double parameters) {
  return elements / parameters * AffinePricer::price(mesh, MeshCollective::AllReduce, axes, 4 * parameters);
}

/// x → fc1 → activation → fc2, with a sum that reads both the activation and fc2.
inline ComputationGraph smallGraph() {
  using Role = Tensor::Role;
  ComputationGraph graph;
  graph.name = "small";
  const auto gemm = [](const char* name, bool splitsSum) {
    return Operator{name,
                    OperatorKind::Gemm,
                    {{"m", 8}, {"n", 8}, {"k", 8, splitsSum}},
                    {{"x", Role::Input, {0, 2}},
                     {"w", Role::Parameter, {2, 1}},
                     {"bias", Role::Parameter, {1}},
                     {"y", Role::Output, {0, 1}}}};
  };
  const auto pointwise = [](const char* name, bool two) {
    Operator op{name, OperatorKind::Elementwise, {{"m", 8}, {"n", 8}}, {{"x", Role::Input, {0, 1}}}};
    if (two) op.tensors.push_back({"z", Role::Input, {0, 1}});
    op.tensors.push_back({"y", Role::Output, {0, 1}});
    return op;
  };
  graph.operators = {gemm("fc1", false), pointwise("act", false), gemm("fc2", true), pointwise("sum", true)};
  graph.edges = {{0, 3, 1, 0}, {1, 1, 2, 0}, {2, 3, 3, 0}, {1, 1, 3, 1}};
  return valueOf(validated(graph));
}

inline GraphCostOptions smallOptions(std::int64_t devices) {
  GraphCostOptions options;
  options.devices = devices;
  options.model = StrategyCostModel::Hierarchical;
  options.space = {SpaceKind::Divisors, 1, false};
  options.flops = 2e12;
  options.memoryBandwidth = 2e12;
  return options;
}

/// Tokens with two of four experts each, which have room for twice as many: x → dispatch → expand → contract → combine.
inline ComputationGraph expertGraph() {
  using Role = Tensor::Role;
  ComputationGraph graph;
  graph.name = "experts";
  const Dimension tokens{"b", 8};
  const Dimension rows{"b", 8};
  const Dimension experts{"e", 4, true, true};
  const Dimension hidden{"h", 4, false};
  const Dimension inner{"n", 8};
  graph.operators = {
      {"x", OperatorKind::Elementwise, {tokens, hidden}, {{"x", Role::Input, {0, 1}}, {"y", Role::Output, {0, 1}}}},
      {"dispatch",
       OperatorKind::Dispatch,
       {tokens, experts, hidden},
       {{"x", Role::Input, {0, 2}}, {"y", Role::Output, {1, 0, 2}}}},
      {"expand",
       OperatorKind::Experts,
       {rows, experts, inner, hidden},
       {{"x", Role::Input, {1, 0, 3}}, {"w", Role::Parameter, {1, 3, 2}}, {"y", Role::Output, {1, 0, 2}}}},
      {"contract",
       OperatorKind::Experts,
       {rows, experts, hidden, inner},
       {{"x", Role::Input, {1, 0, 3}}, {"w", Role::Parameter, {1, 3, 2}}, {"y", Role::Output, {1, 0, 2}}}},
      {"combine",
       OperatorKind::Combine,
       {tokens, experts, hidden},
       {{"x", Role::Input, {1, 0, 2}}, {"y", Role::Output, {0, 2}}}}};
  graph.edges = {{0, 1, 1, 0}, {1, 1, 2, 0}, {2, 2, 3, 0}, {3, 2, 4, 0}};
  return valueOf(validated(graph));
}

/// Prices edges of smallGraph(), or of another whose tensors have that shape, from what every device holds and needs of
/// each element, before and after.
class SetPrices {
 public:
  explicit SetPrices(const Mesh& mesh, std::vector<std::int64_t> shape = {8, 8})
      : m_machine(mesh, shape), m_rank(static_cast<std::int8_t>(shape.size())) {}

  [[nodiscard]] double ofEdge(const MappedGraph& graph, std::size_t edge, const AxisAssignment& from,
                              const AxisAssignment& to) {
    const auto sent = graph.layoutsFrom(edge, from);
    const auto read = graph.layoutsTo(edge, to);
    return known(sent[0], read[0]) * (graph.movesAgain(edge) ? 2 : 1) + known(read[1], sent[1]);
  }

 private:
  double known(const TensorLayout& from, const TensorLayout& to) {
    const auto [place, fresh] = m_known.try_emplace({from, to}, 0.0);
    if (fresh) place->second = priced(from, to);
    return place->second;
  }

  [[nodiscard]] double priced(const TensorLayout& from, const TensorLayout& to) const {
    const auto axes = neededAxes(m_machine, from, to);
    unsigned moving = 0;
    bool direct = true;
    for (const unsigned over : axes) moving |= over;
    for (std::int8_t d = 0; d < m_rank; ++d) direct = direct && machineNests(from, to, d);
    auto held = m_machine.held(from);
    if (direct) m_machine.forget(held, to, moving);
    double seconds = 0;
    for (std::size_t i = 0; i < kMeshCollectives; ++i) {
      if (axes[i] == 0) continue;
      const auto next = m_machine.after(MeshCollective(i), axes[i], held, to).value();
      const auto& measured = MeshCollective(i) == MeshCollective::AllGather ? next : held;
      auto elements = double(measured[0].size());
      // Where parts do not nest, some of the work can be spared before: as much as redistribution() says.
      if (!direct) {
        elements = redistribution(from, to, m_machine.mesh(), double(m_machine.elements())).steps[i].elements;
      }
      seconds += AffinePricer::price(m_machine.mesh(), MeshCollective(i), axes[i], 4 * elements);
      held = next;
    }
    return seconds;
  }

  [[nodiscard]] bool machineNests(const TensorLayout& from, const TensorLayout& to, std::int8_t d) const {
    return from.axesAt(d) == to.axesAt(d) || m_machine.nests(from, to, d);
  }

  SetMachine m_machine;
  std::int8_t m_rank;
  std::map<std::pair<TensorLayout, TensorLayout>, double> m_known;
};

}  // namespace p2::test
