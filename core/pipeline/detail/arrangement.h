// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/pipeline.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "pipeline/detail/stage_bounds.h"
#include "pipeline/detail/stage_cuts.h"
#include "pipeline/detail/stage_solver.h"

namespace p2::inline pipeline {

/// One number of stages on one division of the devices: the best cuts of a chain for it. A dynamic program over bounds
/// of every stage finds the cuts with the cheapest most expensive stage; it replaces the bounds of the stages on its
/// best cuts by solutions until none is left. From there cuts move by one piece while the played step becomes shorter.
/// Stages of one shape with as many microbatches in flight are solved once. The arguments must outlive it.
class Arrangement {
 public:
  Arrangement(const PipelineChain& chain, PipelineSetting setting, PipelinePricer& pricer, const SolveOptions& solving);

  /// Finds the bounds; lowerBound() is then known. Errors of StageBounds::of().
  Result<void> bound(const std::stop_token& stop);
  /// Looks for cuts whose step takes less than `wanted` seconds. Errors of solveStage() and of the pricer.
  Result<void> search(double wanted, const std::stop_token& stop);

  [[nodiscard]] const PipelineSetting& setting() const { return m_setting; }
  /// Seconds; no cuts have a shorter step. Infinite where nothing fits.
  [[nodiscard]] double lowerBound() const {
    return std::max(m_slotBound, leastPlayed(m_lowerBound, m_setting.stages, m_setting.microbatches));
  }
  /// Bound of the most expensive stage in all slots: an estimate of the step, by which the search is ordered.
  [[nodiscard]] double estimate() const { return m_lowerBound; }
  /// stages + 1 numbers of pieces; empty while none are found.
  [[nodiscard]] const std::vector<std::size_t>& best() const { return m_best.at; }
  /// Seconds of the step with these cuts, as played.
  [[nodiscard]] double cost() const { return m_best.cost; }
  /// Stages on meshes that were solved.
  [[nodiscard]] std::size_t solved() const { return m_solved; }
  /// Bytes: the most that a device needs at least.
  [[nodiscard]] double leastMemory() const;
  /// The answer for a stage of the best cuts.
  [[nodiscard]] std::shared_ptr<const StageAnswer> answerOf(std::size_t first, std::size_t end, std::size_t stage);

 private:
  struct Known {
    std::shared_ptr<const StageAnswer> answer;  ///< the best, or none yet
    double bound = -1;                          ///< nothing costs less; below 0 until it is computed
  };

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(m_setting.stages); }
  [[nodiscard]] std::int64_t inFlightAt(std::size_t stage) const;
  [[nodiscard]] Known& known(std::size_t first, std::size_t end, std::size_t stage);
  [[nodiscard]] StageCuts cuts(double wanted, bool proven);
  Result<StageCuts> balanced(double wanted, const std::stop_token& stop);
  Result<void> play(const std::vector<std::size_t>& at, const std::stop_token& stop);
  [[nodiscard]] double stageLimit(double wanted) const;
  [[nodiscard]] double slotBound() const;
  Result<StageTimes> timesAt(std::size_t first, std::size_t end, std::size_t stage);
  Result<bool> solveAll(StageCuts& found, double wanted, const std::stop_token& stop);
  Result<void> solve(std::size_t first, std::size_t end, std::size_t stage, double wanted, const std::stop_token& stop);
  bool takeOver(std::size_t first, std::size_t end, std::int64_t flying);

  const PipelineChain& m_chain;
  PipelineSetting m_setting;
  PipelinePricer& m_pricer;
  const SolveOptions& m_solving;
  std::optional<StageBounds> m_bounds;
  std::vector<std::vector<Known>> m_known;  // by shape and passes in flight
  std::map<const StageAnswer*, StageTimes> m_times;
  StageCuts m_best;         // its cost is the played step
  double m_balanced = 0;    // cost of the most expensive stage of the first cuts
  double m_lowerBound = 0;  // for the most expensive stage in all slots
  double m_slotBound = 0;   // for the played step
  std::size_t m_solved = 0;
};

}  // namespace p2::inline pipeline
