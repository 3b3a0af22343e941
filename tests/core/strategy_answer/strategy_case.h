// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy_answer/strategy_answer.h"
#include "support/fixtures.h"
#include "system/part_states.h"

namespace p2::test {

/// A question about the strategy of a bundled model on a preset, with the price model of systems.
struct StrategyCase {
  const char* model;
  const char* system;
  std::int64_t sequences;  ///< of a microbatch of all devices
  std::int64_t tokens;
  std::int64_t microbatches;
  int zero;
  Recomputation recomputation;
  std::int64_t stages = 1;
  const char* state = nullptr;  ///< of the system: "node 1: 80%"
};

inline StrategyQuestion questionOf(const StrategyCase& of) {
  StrategyQuestion question{.graph = of.model};
  question.sizes.batch = of.sequences;
  question.sizes.sequence = of.tokens;
  question.system = valueOf(parseSystem(of.system));
  if (of.state != nullptr) question.system = valueOf(withState(*question.system, of.state));
  question.pricing = ownPricing(*question.system);
  question.options = StrategyChoice{}.options;
  question.options.model = StrategyCostModel::Hierarchical;
  question.options.devices = question.system->deviceCount();
  question.options.space.cutoff = 1;
  question.options.microbatches = of.microbatches;
  question.options.memory.zero = of.zero;
  question.options.memory.recomputation = of.recomputation;
  return question;
}

}  // namespace p2::test
