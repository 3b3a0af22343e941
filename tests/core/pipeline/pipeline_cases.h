// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/pipeline_solver.h"
#include "tests/core/mapping/mapped_cases.h"

namespace p2::test {

/// Collectives by AffinePricer, slower where stages share the nodes; sends by a latency and a speed.
class AffinePipelinePricer : public PipelinePricer {
 public:
  [[nodiscard]] MeshPricer& within(const StageFactors&) override { return m_within; }
  [[nodiscard]] Result<double> sendSeconds(const StageFactors& factors, Bytes bytes) override {
    return price(factors, bytes.value());
  }
  [[nodiscard]] static double price(const StageFactors& factors, double bytes) {
    return factors[0] > 1 ? 2e-7 + bytes / 0.5e9 : 1e-7 + bytes / 3e9;
  }

 private:
  AffinePricer m_within;
};

/// A chain of products of different sizes, with a sum that reads what came two operators before it.
inline ComputationGraph chainGraph(const std::vector<std::int64_t>& widths) {
  using Role = Tensor::Role;
  ComputationGraph graph;
  graph.name = "chain";
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    graph.operators.push_back(
        {"fc" + std::to_string(i),
         OperatorKind::Gemm,
         {{"m", 8}, {"n", widths[i + 1]}, {"k", widths[i]}},
         {{"x", Role::Input, {0, 2}}, {"w", Role::Parameter, {2, 1}}, {"y", Role::Output, {0, 1}}}});
    if (i > 0) graph.edges.push_back({i - 1, 2, i, 0});
  }
  return valueOf(validated(graph));
}

/// Every assignment of a stage by brute force, with the prices of MappedGraph and the sends and memory written out.
class EveryStage {
 public:
  EveryStage(const StageGraph& stage, const PipelineSetting& setting, PipelinePricer& pricer, std::int64_t inFlight)
      : m_stage(stage),
        m_setting(setting),
        m_pricer(pricer),
        m_inFlight(inFlight),
        m_graph(stage.graph, setting.options) {}

  /// The least cost below `best`; `best` if there is none.
  [[nodiscard]] double cheapest(double best) {
    for (const Mesh& mesh : m_setting.meshes) {
      m_mesh = &mesh;
      MeshPrices prices(mesh, m_pricer.within(m_setting.factors));
      m_prices = &prices;
      m_ways.clear();
      for (std::size_t v = 0; v < m_stage.graph.operators.size(); ++v) m_ways.push_back(waysOf(v));
      m_choice.assign(m_ways.size(), {});
      m_tables.clear();
      for (const auto& edge : m_stage.graph.edges) {
        auto& table = m_tables.emplace_back();
        for (const Way& from : m_ways[edge.from]) {
          for (const Way& to : m_ways[edge.to]) {
            double seconds = 0;
            for (const Transfer& each :
                 valueOf(m_graph.transfersAlong(m_tables.size() - 1, from.assignment, to.assignment, mesh, prices))) {
              seconds += each.seconds;
            }
            table.push_back(seconds);
          }
        }
      }
      extend(0, 0, 0, best);
    }
    return best;
  }

 private:
  struct Way {
    AxisAssignment assignment;
    double seconds = 0;
    double memory = 0;
  };

  std::vector<Way> waysOf(std::size_t v) {
    const Operator& op = m_stage.graph.operators[v];
    const GraphCostOptions& options = m_setting.options;
    const auto times = double(options.passes);
    std::vector<Way> ways;
    std::vector<Way> whole;  // of an end: those that leave no axis
    AxisAssignment assignment;
    for (bool more = true; more;) {
      const Configuration parts = partsOf(op, assignment, *m_mesh);
      bool divides = true;
      bool all = true;
      for (std::size_t d = 0; d < parts.size(); ++d) divides = divides && op.dimensions[d].size % parts[d] == 0;
      for (std::size_t a = 0; a < m_mesh->sizes.size(); ++a) {
        if (m_mesh->sizes[a] == 1) divides = divides && assignment.at[a] < 0;
        if (m_mesh->sizes[a] > 1) all = all && assignment.at[a] >= 0;
      }
      if (divides) {
        Way way{assignment, times * computeSeconds(op, parts, options), 0};
        for (const Transfer& each : valueOf(m_graph.transfersOf(v, assignment, *m_mesh, *m_prices))) {
          way.seconds += each.seconds;
        }
        const StepMemory memory = memoryOf(op, parts, options.bytesPerElement, options.memory);
        way.memory = (memory.parameters + memory.gradients + memory.optimizer).value() +
                     double(m_inFlight) * memory.activations.value();
        if (m_stage.isEnd(v)) {
          double bytes = options.bytesPerElement.value();
          for (std::size_t d = 0; d < parts.size(); ++d) bytes *= double(op.dimensions[d].size) / double(parts[d]);
          way.seconds += times * valueOf(m_pricer.sendSeconds(m_setting.factors, Bytes(bytes)));
          if (v == m_stage.receives) way.memory += double(m_inFlight) * bytes;
          if (all) whole.push_back(way);
        }
        ways.push_back(way);
      }
      more = false;
      for (std::size_t a = m_mesh->sizes.size(); a-- > 0 && !more;) {
        more = ++assignment.at[a] < int(op.dimensions.size());
        if (!more) assignment.at[a] = AxisAssignment::kRepeated;
      }
    }
    return whole.empty() ? ways : whole;
  }

  void extend(std::size_t v, double seconds, double memory, double& best) {
    const double limit = m_setting.options.deviceMemory.value_or(Bytes(0)).value();
    if (seconds >= best || (limit > 0 && memory > limit)) return;
    if (v == m_ways.size()) {
      best = seconds;
      return;
    }
    for (m_choice[v] = 0; m_choice[v] < m_ways[v].size(); ++m_choice[v]) {
      double more = m_ways[v][m_choice[v]].seconds;
      for (std::size_t e = 0; e < m_stage.graph.edges.size(); ++e) {
        const auto& edge = m_stage.graph.edges[e];
        if (std::max(edge.to, edge.from) != v) continue;
        more += m_tables[e][m_choice[edge.from] * m_ways[edge.to].size() + m_choice[edge.to]];
      }
      extend(v + 1, seconds + more, memory + m_ways[v][m_choice[v]].memory, best);
    }
  }

  const StageGraph& m_stage;
  const PipelineSetting& m_setting;
  PipelinePricer& m_pricer;
  std::int64_t m_inFlight;
  MappedGraph m_graph;
  const Mesh* m_mesh = nullptr;
  MeshPrices* m_prices = nullptr;
  std::vector<std::vector<Way>> m_ways;
  std::vector<std::vector<double>> m_tables;
  std::vector<std::size_t> m_choice;
};

/// The best pipeline of so many stages, over every way to deal the devices, every cut and every assignment.
inline double everyPipeline(const PipelineChain& chain, const GraphCostOptions& options, const System& system,
                            PipelinePricer& pricer, std::int64_t stages) {
  double best = std::numeric_limits<double>::infinity();
  if (std::size_t(stages) > chain.pieces()) return best;
  for (const StageFactors& factors : stageFactorsOf(system, stages)) {
    const PipelineSetting setting(system, options, factors);
    const std::function<void(std::int64_t, std::size_t, double)> extend = [&](std::int64_t stage, std::size_t first,
                                                                              double cost) {
      if (cost >= best) return;
      if (stage == stages) {
        if (first == chain.pieces()) best = cost;
        return;
      }
      for (std::size_t end = first + 1; end <= chain.pieces(); ++end) {
        const StageGraph part = chain.stageOf(first, end);
        const std::int64_t held = std::min(stages - stage, options.passes);
        extend(stage + 1, end, std::max(cost, EveryStage(part, setting, pricer, held).cheapest(best)));
      }
    };
    extend(0, 0, 0);
  }
  return best;
}

}  // namespace p2::test
