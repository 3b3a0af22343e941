// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "step/step_ranking.h"

namespace p2::inline step {

/// Same results as rankSteps(), with caches for the next question: state graphs and the traffic of their steps as long
/// as system, axes and options stay, prices as long as an entry stays. After a change of one entry's bytes only that
/// entry is priced again, O(placements · entries + placements of its class · distinct steps). Thread-safe; concurrent
/// calls wait for each other.
class StepPricer {
 public:
  StepPricer();
  ~StepPricer();
  StepPricer(const StepPricer&) = delete;
  StepPricer& operator=(const StepPricer&) = delete;

  [[nodiscard]] Result<std::shared_ptr<const StepRanking>> rank(const StepQuestion& question, std::stop_token stop = {},
                                                                const Progress& progress = {});

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace p2::inline step
