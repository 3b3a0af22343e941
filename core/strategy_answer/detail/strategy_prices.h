// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>
#include <variant>

#include "pipeline/pipeline_prices.h"
#include "strategy_answer/detail/strategy_question.h"

namespace p2::inline strategy_answer {

/// The pricers of a question's collectives: one bandwidth under the flat model, otherwise simulations on the system.
/// Keeps every simulation, so one object for several answers is faster than several. Not to be shared between threads.
class StrategyPrices {
 public:
  /// `stop` ends every simulation. Errors: the hierarchical model without a system, or with one of another number of
  /// devices than the options ask for.
  [[nodiscard]] static Result<StrategyPrices> of(const StrategyInput& input, std::stop_token stop = {});

  /// The flat model's pricer. Precondition: the question is not on a mesh.
  [[nodiscard]] FlatPricer& flat() { return std::get<FlatPricer>(m_pricer); }
  /// The hierarchical model's pricers, all three over the same simulations. Precondition: the question is on a mesh.
  [[nodiscard]] HierarchicalPrices& simulated() { return std::get<OnSystem>(m_pricer)->prices; }
  [[nodiscard]] MeshPricer& onMesh() { return std::get<OnSystem>(m_pricer)->mesh; }
  [[nodiscard]] PipelinePricer& inPipelines() { return std::get<OnSystem>(m_pricer)->pipelines; }

 private:
  struct Simulated {
    Simulated(const ValidSystem& system, const ExploreOptions& pricing, std::stop_token stop)
        : prices(system, pricing, std::move(stop)), mesh(prices), pipelines(prices) {}
    HierarchicalPrices prices;
    SimulatedMeshPricer mesh;
    SimulatedPipelinePricer pipelines;
  };
  using OnSystem = std::unique_ptr<Simulated>;
  explicit StrategyPrices(std::variant<FlatPricer, OnSystem> pricer) : m_pricer(std::move(pricer)) {}

  std::variant<FlatPricer, OnSystem> m_pricer;
};

}  // namespace p2::inline strategy_answer
