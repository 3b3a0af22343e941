// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collective/collective.h"
#include "collective/goal.h"
#include "synthesis/synthesis_hierarchy.h"

namespace p2::inline synthesis {

/// The paper's forms, and two for a result that is scattered over some axes and replicated along others: within each
/// slice the devices that differ only along the scattered ones, and those that differ only along the replicated ones.
/// Frameworks have communicators for these groups.
enum class Form { InsideGroup, Parallel, Master, Shards, Replicas };

/// slice and form as the paper writes them (§3.3): "gpu:Parallel(root)". `ancestor` is used by Parallel and Master.
struct Spelling {
  int slice = 0;
  Form form = Form::InsideGroup;
  int ancestor = 0;
  friend auto operator<=>(const Spelling&, const Spelling&) = default;
};

/// A collective on all groups of a pattern at once. Two spellings with the same groups are one instruction.
struct Instruction {
  GroupPattern pattern;
  Collective collective = Collective::AllReduce;
  friend auto operator<=>(const Instruction&, const Instruction&) = default;
};

using Program = std::vector<Instruction>;

/// A step of a program. How many steps there are, or have run, is a plain number.
using StepId = StrongId<struct StepTag>;

/// Every pattern of a hierarchy of that many levels, each once: InsideGroup, then Parallel, then Master, outermost
/// slice first: levels² of them. Where some levels are replicated, then also Shards and Replicas, as far as their
/// groups are no run of levels and so none of the former.
[[nodiscard]] std::vector<GroupPattern> groupPatterns(int levels, LevelSet replicated = 0);
[[nodiscard]] std::vector<GroupPattern> groupPatterns(const SynthesisHierarchy& hierarchy);

/// The goal over the levels of the hierarchy: a ReduceScatter does not scatter over replicated ones, and is an
/// AllReduce if all are replicated.
[[nodiscard]] Goal goalOn(const SynthesisHierarchy& hierarchy, const Goal& goal);

/// The goal's one collective over the whole reduction group, the reference of every comparison. A ReduceScatter that
/// leaves replicas has none: there it is what frameworks do for it, a ReduceScatter over the shards and then an
/// AllReduce over the replicas.
[[nodiscard]] Program singleProgram(const SynthesisHierarchy& hierarchy, const Goal& goal = kAllReduceGoal);

/// The canonical spelling: InsideGroup before Parallel before Master, then the outermost slice.
[[nodiscard]] Spelling spellingOf(const GroupPattern& pattern, int levels);
/// The other spellings with the same groups.
[[nodiscard]] std::vector<Spelling> aliasesOf(const GroupPattern& pattern, int levels);
/// The pattern a spelling means. Errors: groups of a single device, an ancestor that is not above the slice.
[[nodiscard]] Result<GroupPattern> patternOf(const SynthesisHierarchy& hierarchy, const Spelling& spelling);

/// "InsideGroup", "Parallel(root)", "Master(node)", "Shards", "Replicas".
[[nodiscard]] std::string formText(const SynthesisHierarchy& hierarchy, const Spelling& spelling);
/// "gpu:Parallel(root):AllReduce".
[[nodiscard]] std::string instructionText(const SynthesisHierarchy& hierarchy, const Instruction& instruction);
/// Instructions joined by "; ".
[[nodiscard]] std::string programText(const SynthesisHierarchy& hierarchy, const Program& program);
/// "RS·AR·AG".
[[nodiscard]] std::string programTitle(const Program& program);

/// Inverse of programText(), aliases included. The error names the step and the remedy.
[[nodiscard]] Result<Program> parseProgram(const SynthesisHierarchy& hierarchy, std::string_view text);

}  // namespace p2::inline synthesis
