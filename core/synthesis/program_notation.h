// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "synthesis/state_graph.h"

namespace p2::inline synthesis {

/// "AllReduce·node∥root": a collective on the slices of a level; ∥ is across the slices of one ancestor, ∥₁ only the
/// first devices.
[[nodiscard]] std::string notationText(const SynthesisHierarchy& hierarchy, const Instruction& instruction);
/// Instructions joined by " → ".
[[nodiscard]] std::string notationText(const SynthesisHierarchy& hierarchy, const Program& program);
/// "RS·node → AR·node∥root → AG·node": with abbreviated collectives. Unlike titles, the texts of two different programs
/// are never equal.
[[nodiscard]] std::string shortNotation(const SynthesisHierarchy& hierarchy, const Program& program);

/// Reads a program in any notation: steps as "node:Parallel(root):AllReduce" or "AllReduce·node∥root", joined by ";",
/// "→" or "->", as parseProgram() does; or a title, "RS·AR·AG", if only one program of these collectives reaches the
/// goal. Errors name the step and the remedy; for an ambiguous title they list the programs. O(programs of that title),
/// bounded.
[[nodiscard]] Result<Program> readProgram(const SynthesisHierarchy& hierarchy, std::string_view text, RuleSet rules,
                                          const Goal& goal);

/// The programs of a title that reach the goal, in instruction order, at most `most`.
[[nodiscard]] std::vector<Program> programsOfTitle(const SynthesisHierarchy& hierarchy,
                                                   const std::vector<Collective>& title, RuleSet rules,
                                                   const Goal& goal, std::size_t most);

}  // namespace p2::inline synthesis
