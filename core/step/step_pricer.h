// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "step/step_ranking.h"

namespace p2 {

/// Answers the same as rankSteps(), and keeps what it has learnt for the next question: state graphs and the traffic of
/// their steps as long as system, axes and options stay, prices as long as an entry does. So after an entry's bytes
/// have changed nothing else is priced again, O(placements · entries + placements alike to it · distinct steps). May be
/// asked from several threads, which then wait for one another.
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

}  // namespace p2
