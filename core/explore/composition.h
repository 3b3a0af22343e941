// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explore/explore.h"
#include "synthesis/next_steps.h"
#include "synthesis/program_hint.h"
#include "synthesis/wrong_step.h"

namespace p2::inline explore {

/// The ways to the goal on one placement of an exploration, with prices as it has them. Worth keeping: every question
/// about programs of that placement is then answered at once. Errors: as ProgramGuide::make().
[[nodiscard]] Result<std::shared_ptr<const ProgramGuide>> guideOf(const Exploration& exploration, std::size_t placement,
                                                                  std::stop_token stop = {});

/// Rank of a program among all programs of its placement.
struct ProgramRank {
  std::size_t cheaper = 0;  ///< programs that take less time
  bool atLeast = false;     ///< there are more of them, too many to count
  Count of;                 ///< all programs, as the exploration counts them: up to its limit of steps
};

/// A program while it is composed: its present state, its possible continuations, and its errors.
struct Composition {
  Program program;
  NextSteps next;      ///< after the steps that can run
  int validSteps = 0;  ///< steps of the program that can run
  std::optional<StepFailure> failure;
  bool complete = false;
  FailingPairs pairs;               ///< pairs of the step that cannot run
  MissingParts missing;             ///< parts that are missing if the program stops too early
  std::optional<ProgramHint> hint;  ///< for a program that does not reach the goal
  std::optional<double> seconds;    ///< if complete
  std::optional<ProgramRank> rank;  ///< if complete and programs are ranked
};

/// All facts about a program on a placement, `guide` being guideOf() it. Errors: cancelled, and as
/// ProgramTrace::run().
[[nodiscard]] Result<Composition> composed(const Exploration& exploration, std::size_t placement,
                                           const ProgramGuide& guide, const Program& program,
                                           std::stop_token stop = {});

/// The rank of a program with that time, without overlap. A search counts the cheaper programs; beyond about a million
/// it stops counting (ProgramRank::atLeast).
[[nodiscard]] std::optional<ProgramRank> rankOf(const Exploration& exploration, std::size_t placement, double seconds);

}  // namespace p2::inline explore
