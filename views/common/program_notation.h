// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "synthesis/instruction.h"

namespace p2::views {

/// An instruction as a reader of the paper would jot it down: the collective and whose groups it works on.
/// "ReduceScatter·node": inside every node. "AllReduce·node∥root": below the root, the first devices of all nodes
/// together, the second ones, and so on. "Reduce·node∥₁root": only the first of those parallel groups (Master).
/// "AllReduce·root@replicas": all that differ along replicated axes alone.
QString stepNotation(const SynthesisHierarchy& hierarchy, const Instruction& instruction);
/// The steps joined by arrows.
QString programNotation(const SynthesisHierarchy& hierarchy, const Program& program);
/// The same with the collectives in short, "RS·node → AR·node∥root → AG·node": a name where the room is small, which no
/// other program of the placement has.
QString shortProgramNotation(const SynthesisHierarchy& hierarchy, const Program& program);
/// For tool tips: every step's number, canonical DSL form and aliases, one per line.
QString programSpellings(const SynthesisHierarchy& hierarchy, const Program& program);

}  // namespace p2::views
