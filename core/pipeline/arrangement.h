// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/pipeline.
#pragma once

#include <limits>
#include <optional>

#include "pipeline/stage_bounds.h"
#include "pipeline/stage_cuts.h"
#include "pipeline/stage_solver.h"

namespace p2 {

/// One number of stages on one way to deal the devices: the best cuts of a chain for it. They come from a dynamic
/// program over what is known of every stage, first bounds; those that the cheapest cuts need are solved until these
/// need none. Stages of one shape with as many passes in flight are solved once. What it is made of must outlive it.
class Arrangement {
 public:
  Arrangement(const PipelineChain& chain, PipelineSetting setting, PipelinePricer& pricer, const SolveOptions& solving);

  /// Finds the bounds; lowerBound() is then known. Errors: those of StageBounds::of().
  Result<void> bound(const std::stop_token& stop);
  /// Looks for cuts that cost less than `wanted` seconds. Errors: those of solveStage().
  Result<void> search(double wanted, const std::stop_token& stop);

  [[nodiscard]] const PipelineSetting& setting() const { return m_setting; }
  /// Nothing costs less; infinite where nothing fits.
  [[nodiscard]] double lowerBound() const { return m_lowerBound; }
  /// stages + 1 numbers of pieces; empty while none are found.
  [[nodiscard]] const std::vector<std::size_t>& best() const { return m_best.at; }
  [[nodiscard]] double cost() const { return m_best.cost; }
  /// Stages on meshes that were solved.
  [[nodiscard]] std::size_t solved() const { return m_solved; }
  /// Bytes: the most that a device needs at least.
  [[nodiscard]] double leastMemory() const;
  /// Of a stage of the best cuts.
  [[nodiscard]] std::shared_ptr<const StageAnswer> answerOf(std::size_t first, std::size_t end, std::size_t stage);

 private:
  struct Known {
    std::shared_ptr<const StageAnswer> answer;  ///< the best, or none yet
    double bound = -1;                          ///< nothing costs less; below 0 while nobody asked
  };

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(m_setting.stages); }
  [[nodiscard]] std::int64_t inFlightAt(std::size_t stage) const;
  [[nodiscard]] Known& known(std::size_t first, std::size_t end, std::size_t stage);
  [[nodiscard]] StageCuts cuts(double wanted, bool proven);
  Result<bool> solveAll(StageCuts& found, double wanted, const std::stop_token& stop);
  Result<void> solve(std::size_t first, std::size_t end, std::size_t stage, double wanted, const std::stop_token& stop);
  bool takeOver(std::size_t first, std::size_t end, std::int64_t flying);

  const PipelineChain& m_chain;
  PipelineSetting m_setting;
  PipelinePricer& m_pricer;
  const SolveOptions& m_solving;
  std::optional<StageBounds> m_bounds;
  std::vector<std::vector<Known>> m_known;  // by shape and passes in flight
  StageCuts m_best;
  double m_lowerBound = 0;
  std::size_t m_solved = 0;
};

}  // namespace p2
