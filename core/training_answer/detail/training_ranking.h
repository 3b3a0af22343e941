// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_answer: counts the configurations that are faster than one.
#pragma once

#include <map>

#include "training/framework_placements.h"
#include "training_answer/training_evaluation.h"

namespace p2::inline training_answer {

/// Prices of placements, kept by framework and degrees.
class PlacementCache {
 public:
  PlacementCache(const TrainingQuestion& question, std::stop_token stop);
  /// The placements of a configuration; empty if no order of the framework gives one. Errors as PlacementPricer.
  [[nodiscard]] Result<const std::vector<PricedPlacement>*> of(const TrainingFramework& framework,
                                                               const TrainingConfiguration& configuration);
  /// Configurations that take a rank file.
  [[nodiscard]] Result<const std::vector<PricedPlacement>*> withRankFile(const TrainingFramework& framework,
                                                                         const TrainingConfiguration& configuration);

 private:
  [[nodiscard]] Result<const std::vector<PricedPlacement>*> found(
      const PlacementPricer& pricer, std::map<std::string, std::vector<PricedPlacement>>& kept,
      const TrainingFramework& framework, const TrainingConfiguration& configuration);

  TrainingPlacements m_pricers;
  std::stop_token m_stop;
  std::map<std::string, std::vector<PricedPlacement>> m_kept;
  std::map<std::string, std::vector<PricedPlacement>> m_keptWithRankFile;
};

/// Ranks of a step of `seconds` among the configurations of one framework and of all frameworks. Steps within
/// kDisplayTolerance share a rank.
struct TrainingRanks {
  TrainingRank inFramework;
  TrainingRank inAll;
};
[[nodiscard]] Result<TrainingRanks> ranksOf(double seconds, const TrainingFramework& framework,
                                            const TrainingQuestion& question, const TrainingAccelerator& accelerator,
                                            double reserve, PlacementCache& placements, const std::stop_token& stop,
                                            const Progress& progress);

}  // namespace p2::inline training_answer
