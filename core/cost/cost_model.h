// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cost/traffic.h"

namespace p2 {

/// The predicted time of one step and where it goes.
struct StepCost {
  double seconds = 0;                     ///< of all repeats
  LinkId link;                            ///< the busiest link; the lowest number among equals
  Bytes linkBytes;                        ///< over it, in one run
  Algorithm algorithm = Algorithm::Ring;  ///< Ring or Tree: the one that was taken
  friend bool operator==(const StepCost&, const StepCost&) = default;
};

/// Turns traffic into time. Models have no state: there is one of each, for all threads.
class CostModel {
 public:
  virtual ~CostModel() = default;
  /// As in `--model paper`, files and listings.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// One run of a step with this traffic on a working vector of that size.
  [[nodiscard]] virtual StepCost price(const Traffic& traffic, Bytes bytes) const = 0;
};

/// Every model there is. A new one is a class and a row here.
[[nodiscard]] std::span<const CostModel* const> costModels();
/// "paper, …": their names.
[[nodiscard]] std::string knownCostModels();
/// By name; the error lists the known ones.
[[nodiscard]] Result<const CostModel*> costModelFrom(std::string_view name);
/// The model of checked options.
[[nodiscard]] const CostModel& modelOf(const CostOptions& options);

/// What a step costs under the algorithm that is wanted; under Auto with the cheapest, which is the first among those
/// that differ by rounding only. `runOf(algorithm)` is the price of one run.
template <class RunOf>
[[nodiscard]] StepCost priceStep(Collective collective, const CostOptions& options, const RunOf& runOf) {
  StepCost best;
  bool any = false;
  for (const Algorithm algorithm : candidatesFor(collective, options.algorithm)) {
    const StepCost run = runOf(algorithm);
    if (any && best.seconds <= run.seconds * (1 + 1e-12)) continue;
    best = run;
    best.algorithm = algorithm;
    any = true;
  }
  best.seconds *= options.repeat;
  return best;
}

}  // namespace p2
