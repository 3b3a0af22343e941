// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline_prices.h"

#include "cost/cost_model.h"
#include "step/shift.h"

namespace p2::inline pipeline {
namespace {

class StagedMeshPricer : public MeshPricer {
 public:
  StagedMeshPricer(HierarchicalPrices& prices, StageFactors factors)
      : m_prices(prices), m_factors(std::move(factors)) {}

  Result<double> secondsAt(const Mesh& mesh, MeshCollective collective, MeshAxes axes, Bytes bytes) override {
    return m_prices.secondsOn(stagedPlacement(m_factors, mesh, axes, false), goalOf(collective), bytes);
  }

 private:
  HierarchicalPrices& m_prices;
  StageFactors m_factors;
};

}  // namespace

MeshPricer& SimulatedPipelinePricer::within(const StageFactors& factors) {
  std::unique_ptr<MeshPricer>& pricer = m_within[factors];
  if (!pricer) pricer = std::make_unique<StagedMeshPricer>(m_prices, factors);
  return *pricer;
}

Result<double> SimulatedPipelinePricer::sendSeconds(const StageFactors& factors, Bytes bytes) {
  if (bytes <= Bytes(0) || stageCount(factors) == 1) return 0.0;
  const auto [known, fresh] = m_sends.try_emplace({factors, bytes.value()}, 0.0);
  if (!fresh) return known->second;
  const System& system = m_prices.system();
  const SynthesisHierarchy hierarchy(system, stagedPlacement(factors, wholeStage(system, factors), 0, true));
  const CostModel& model = modelOf(m_prices.costOptions());
  known->second = model.price(shiftTraffic(m_prices.topology(), hierarchy, false, model), bytes).seconds;
  return known->second;
}

}  // namespace p2::inline pipeline
