// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>

#include "mapping/mesh_prices.h"
#include "pipeline/detail/stage_placement.h"

namespace p2::inline pipeline {

/// Prices of communication in the stages of a pipeline and between them. Not to be shared between threads.
class PipelinePricer {
 public:
  virtual ~PipelinePricer() = default;
  /// The pricer of collectives on a mesh of every stage, which all stages run at the same time. Lives as long as this.
  [[nodiscard]] virtual MeshPricer& within(const StageFactors& factors) = 0;
  /// Seconds until every device of every stage but the last has sent that many bytes to the device at the same place in
  /// the next stage.
  [[nodiscard]] virtual Result<double> sendSeconds(const StageFactors& factors, Bytes bytes) = 0;
};

/// Prices by simulation on a system.
class SimulatedPipelinePricer : public PipelinePricer {
 public:
  /// `prices` must outlive this.
  explicit SimulatedPipelinePricer(HierarchicalPrices& prices) : m_prices(prices) {}
  [[nodiscard]] MeshPricer& within(const StageFactors& factors) override;
  [[nodiscard]] Result<double> sendSeconds(const StageFactors& factors, Bytes bytes) override;

 private:
  HierarchicalPrices& m_prices;
  std::map<StageFactors, std::unique_ptr<MeshPricer>> m_within;
  std::map<std::pair<StageFactors, double>, double> m_sends;
};

}  // namespace p2::inline pipeline
