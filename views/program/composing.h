// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "explore/composition.h"
#include "views/program/rule_card.h"

namespace p2::views {

/// A program being composed, with its facts.
struct Composing {
  std::shared_ptr<const SynthesisHierarchy> hierarchy;
  Placement placement;
  Composition all;
  /// Holdings of the first group's members after every instruction that can follow; empty for other instructions.
  std::vector<QString> results;
};

/// A composer's question.
struct ComposingQuestion {
  std::shared_ptr<const Exploration> exploration;
  std::size_t placement = 0;
  std::shared_ptr<const ProgramGuide> guide;
  Program program;
  friend bool operator==(const ComposingQuestion&, const ComposingQuestion&) = default;
};

/// Errors: as composed().
[[nodiscard]] Result<Composing> makeComposing(const ComposingQuestion& question, std::stop_token stop);

/// Failing positions, or missing parts of the goal, for the card.
[[nodiscard]] Findings findingsOf(const Composition& all);

/// "12 possible, 9 not, 3 of them lead to a dead end; at least 1 more step".
[[nodiscard]] QString statusText(const Composing& composing);
/// "3rd of 47 programs".
[[nodiscard]] QString rankText(const ProgramRank& rank);
/// Description of one instruction as the next step.
[[nodiscard]] QString choiceText(const Composing& composing, std::size_t choice);

}  // namespace p2::views
