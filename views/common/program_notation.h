// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "synthesis/instruction.h"

namespace p2::views {

/// The groups of a step in words: "inside each node", "across nodes", "across nodes of each rack", "over all devices",
/// "across nodes, first devices only" (Master), "over replicas". Different groups of one hierarchy have different
/// words.
QString groupsText(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern);
/// As above, for a spelling given by level names. `shortly`: "in node", "across nodes in rack", "over all", "across
/// nodes (firsts)".
QString groupsText(Form form, const QString& slice, const QString& ancestor, bool shortly = false);
/// A step in words: "AllReduce across nodes".
QString stepNotation(const SynthesisHierarchy& hierarchy, const Instruction& instruction);
/// The steps joined by arrows.
QString programNotation(const SynthesisHierarchy& hierarchy, const Program& program);
/// programNotation() for small spaces, "RS in node → AR across nodes → AG in node". Different programs of one placement
/// have different texts.
QString shortProgramNotation(const SynthesisHierarchy& hierarchy, const Program& program);
/// A program as it is typed, in the paper's notation: "ReduceScatter·node → AllReduce·node∥root".
QString typedNotation(const SynthesisHierarchy& hierarchy, const Program& program);
/// The spellings of a program for tool tips, one line per step: number, words, the paper's notation, the DSL form and
/// its aliases.
QString programSpellings(const SynthesisHierarchy& hierarchy, const Program& program);

}  // namespace p2::views
