// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tuple>

#include "mapping/gradient_buckets.h"
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

/// Times of stages of which no other is better in every part.
class TimesFront {
 public:
  void add(const StageTimes& times) {
    const auto covers = [](const StageTimes& a, const StageTimes& b) {
      return a.forward <= b.forward && a.backward <= b.backward && a.once <= b.once;
    };
    if (std::any_of(m_all.begin(), m_all.end(), [&](const auto& each) { return covers(each, times); })) return;
    std::erase_if(m_all, [&](const auto& each) { return covers(times, each); });
    m_all.push_back(times);
  }
  [[nodiscard]] const std::vector<StageTimes>& all() const { return m_all; }

 private:
  std::vector<StageTimes> m_all;
};

/// Every assignment of a stage by brute force, with the prices of MappedGraph and the sends and memory written out.
class EveryStage {
 public:
  EveryStage(const StageGraph& stage, const PipelineSetting& setting, PipelinePricer& pricer, std::int64_t inFlight)
      : m_stage(stage),
        m_setting(setting),
        m_pricer(pricer),
        m_inFlight(inFlight),
        m_graph(stage.graph, setting.options) {}

  /// Of all assignments that fit the memory.
  [[nodiscard]] TimesFront times() {
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
            StageTimes& times = table.emplace_back();
            addAll(times,
                   valueOf(m_graph.transfersAlong(m_tables.size() - 1, from.assignment, to.assignment, mesh, prices)));
          }
        }
      }
      extend(0, {}, 0);
    }
    return m_front;
  }

 private:
  struct Way {
    AxisAssignment assignment;
    StageTimes times;
    double memory = 0;
  };

  static void add(StageTimes& sum, const StageTimes& times) {
    sum.forward += times.forward;
    sum.backward += times.backward;
    sum.once += times.once;
  }

  /// Gradients once (or in every pass where they are scattered), the rest of a step forward and back.
  void addAll(StageTimes& sum, const std::vector<Transfer>& transfers) const {
    const int zero = m_setting.options.memory.zero;
    const auto passes = double(m_setting.options.microbatches);
    for (const Transfer& each : transfers) {
      using Purpose = Transfer::Purpose;
      const bool gradients = each.purpose == Purpose::Gradients;
      if ((gradients && zero < 2) || (each.purpose == Purpose::Parameters && zero < 3)) {
        sum.once += each.seconds;
      } else if (each.purpose == Purpose::Forward) {
        sum.forward += each.seconds / passes;
      } else if (gradients || each.purpose == Purpose::Backward) {
        sum.backward += each.seconds / passes;
      } else {
        sum.forward += each.seconds / passes / 2;
        sum.backward += each.seconds / passes / 2;
      }
    }
  }

  std::vector<Way> waysOf(std::size_t v) {
    const Operator& op = m_stage.graph.operators[v];
    const GraphCostOptions& options = m_setting.options;
    std::vector<Way> ways;
    std::vector<Way> whole;  // of an end: those that leave no axis
    AxisAssignment assignment;
    for (bool more = true; more;) {
      const Configuration parts = partsOf(op, assignment, *m_mesh);
      bool divides = true;
      bool all = true;
      for (std::size_t d = 0; d < parts.size(); ++d) {
        divides = divides && op.dimensions[d].size % parts[d] == 0 && (parts[d] == 1 || op.dimensions[d].splittable);
      }
      for (std::size_t a = 0; a < m_mesh->sizes.size(); ++a) {
        if (m_mesh->sizes[a] == 1) divides = divides && assignment.at[a] < 0;
        if (m_mesh->sizes[a] > 1) all = all && assignment.at[a] >= 0;
      }
      if (divides) {
        const double seconds = computeSeconds(op, parts, options);
        Way way{assignment, {seconds / 3, seconds * 2 / 3, 0}, 0};
        addAll(way.times, valueOf(m_graph.transfersOf(v, assignment, *m_mesh, *m_prices)));
        const StepMemory memory = m_graph.memoryOf(v, parts);
        way.memory = (memory.parameters + memory.gradients + memory.optimizer).value() +
                     double(m_inFlight) * memory.activations.value();
        if (m_stage.isEnd(v)) {
          double bytes = options.bytesPerElement.value();
          for (std::size_t d = 0; d < parts.size(); ++d) bytes *= double(op.dimensions[d].size) / double(parts[d]);
          const double sent = valueOf(m_pricer.sendSeconds(m_setting.factors, Bytes(bytes)));
          (v == m_stage.receives ? way.times.backward : way.times.forward) += sent;
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

  void extend(std::size_t v, const StageTimes& times, double memory) {
    const double limit = m_setting.options.deviceMemory.value_or(Bytes(0)).value();
    if (limit > 0 && memory > limit) return;
    if (v == m_ways.size()) {
      m_front.add(times);
      return;
    }
    for (m_choice[v] = 0; m_choice[v] < m_ways[v].size(); ++m_choice[v]) {
      StageTimes more = times;
      add(more, m_ways[v][m_choice[v]].times);
      for (std::size_t e = 0; e < m_stage.graph.edges.size(); ++e) {
        const auto& edge = m_stage.graph.edges[e];
        if (std::max(edge.to, edge.from) != v) continue;
        add(more, m_tables[e][m_choice[edge.from] * m_ways[edge.to].size() + m_choice[edge.to]]);
      }
      extend(v + 1, more, memory + m_ways[v][m_choice[v]].memory);
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
  std::vector<std::vector<StageTimes>> m_tables;
  std::vector<std::size_t> m_choice;
  TimesFront m_front;
};

/// Every way to run the cuts of a chain into so many stages on one division of the devices.
class EveryPipeline {
 public:
  EveryPipeline(const PipelineChain& chain, const PipelineSetting& setting, PipelinePricer& pricer)
      : m_chain(chain), m_setting(setting), m_pricer(pricer) {}

  /// Seconds of the shortest played step, if it is below `best`.
  [[nodiscard]] double shortest(double best) {
    m_best = best;
    extend(0);
    return m_best;
  }
  /// Seconds of the most expensive stage in all slots, of the cuts and strategies for which it is cheapest.
  [[nodiscard]] double balanced() const { return m_balanced; }

 private:
  void extend(std::size_t first) {
    const auto stage = std::int64_t(m_times.size());
    if (stage == m_setting.stages) {
      if (first == m_chain.pieces()) play();
      return;
    }
    for (std::size_t end = first + 1; end <= m_chain.pieces(); ++end) {
      for (const StageTimes& times : front(first, end, std::min(m_setting.stages - stage, m_setting.microbatches))) {
        m_times.push_back(times);
        extend(end);
        m_times.pop_back();
      }
    }
  }

  const std::vector<StageTimes>& front(std::size_t first, std::size_t end, std::int64_t held) {
    const auto [place, fresh] = m_fronts.try_emplace({first, end, held});
    if (fresh) place->second = EveryStage(m_chain.stageOf(first, end), m_setting, m_pricer, held).times().all();
    return place->second;
  }

  void play() {
    double most = 0;
    const auto passes = double(m_setting.microbatches + m_setting.stages - 1);
    for (const StageTimes& each : m_times) most = std::max(most, passes * each.slot() + each.once);
    m_balanced = std::min(m_balanced, most);
    m_best = std::min(m_best, scheduleOf(m_times, m_setting.microbatches)->seconds);
  }

  const PipelineChain& m_chain;
  const PipelineSetting& m_setting;
  PipelinePricer& m_pricer;
  std::map<std::tuple<std::size_t, std::size_t, std::int64_t>, std::vector<StageTimes>> m_fronts;
  std::vector<StageTimes> m_times;
  double m_best = 0;
  double m_balanced = std::numeric_limits<double>::infinity();
};

/// The shortest played step of so many stages, over every division of the devices, every cut and every assignment.
inline double everyPipeline(const PipelineChain& chain, const GraphCostOptions& options, const System& system,
                            PipelinePricer& pricer, std::int64_t stages) {
  double best = std::numeric_limits<double>::infinity();
  if (std::size_t(stages) > chain.pieces()) return best;
  for (const StageFactors& factors : stageFactorsOf(system, stages)) {
    const PipelineSetting setting(system, withBucketsOf(chain.graph(), options), factors);
    best = EveryPipeline(chain, setting, pricer).shortest(best);
  }
  return best;
}

}  // namespace p2::test
