// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "synthesis/state_graph.h"

namespace p2::inline synthesis {

/// The smallest change that makes a program reach its goal.
struct ProgramHint {
  enum class Change {
    Replace,  ///< another instruction as step `step`
    Insert,   ///< one more before step `step`, or at the end
    Remove,   ///< without step `step`
    EndAt,    ///< without step `step` and all that follow: the goal is reached before
    GoOn,     ///< the steps before `step` kept, and from there on others
  };
  Change change = Change::GoOn;
  std::size_t step = 0;
  Program program;       ///< the whole program, changed; it reaches the goal
  std::string sentence;  ///< "with AllReduce·node∥root as step 2 it reaches the goal"
};

/// The nearest program that reaches the goal, among programs that differ in one instruction: with one more at
/// the end, if all steps run; in the groups or the collective of one, first near the failing step, then
/// elsewhere; with one removed or inserted; in both groups and collective. If there is none, the longest prefix
/// that can be continued, with a shortest continuation. None for programs that reach the goal, hierarchies
/// of more than kMostSynthesisLevels levels, and too long searches. O(steps² · instructions) applications,
/// bounded.
[[nodiscard]] std::optional<ProgramHint> programHint(const SynthesisHierarchy& hierarchy, const Program& program,
                                                     RuleSet rules, const Goal& goal);

}  // namespace p2::inline synthesis
