// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "synthesis/state_graph.h"

namespace p2::inline synthesis {

/// The groups of a step in words: "inside each node", "across nodes", "across nodes of each rack", "over all devices",
/// "inside each group", "across nodes, first devices only" (Master), "over replicas"; different ones for different
/// groups of a hierarchy. `shortly`: "in node", "across nodes in rack", "over all", "across nodes (firsts)".
[[nodiscard]] std::string groupWords(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern,
                                     bool shortly = false);
/// As above, for a spelling given by level names.
[[nodiscard]] std::string groupWords(Form form, std::string_view slice, std::string_view ancestor,
                                     bool shortly = false);
/// A step in words: "AllReduce across nodes".
[[nodiscard]] std::string stepWords(const SynthesisHierarchy& hierarchy, const Instruction& instruction);
/// stepWords() of every step: "ReduceScatter inside each node → AllReduce across nodes".
[[nodiscard]] std::string programWords(const SynthesisHierarchy& hierarchy, const Program& program);
/// "RS in node → AR across nodes → AG in node": the steps of a program, for small spaces. Different programs of one
/// placement have different texts.
[[nodiscard]] std::string shortProgramWords(const SynthesisHierarchy& hierarchy, const Program& program);

}  // namespace p2::inline synthesis
