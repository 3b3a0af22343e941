// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collective/collective.h"
#include "collective/goal.h"
#include "synthesis/synthesis_hierarchy.h"

namespace p2 {

enum class Form { InsideGroup, Parallel, Master };

/// slice and form as the paper writes them (§3.3): "gpu:Parallel(root)". `ancestor` is unused by InsideGroup.
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
/// slice first. levels² of them.
[[nodiscard]] std::vector<GroupPattern> groupPatterns(int levels);

/// The goal's one collective over the whole reduction group, the reference of every comparison.
[[nodiscard]] Program flatProgram(const SynthesisHierarchy& hierarchy, const Goal& goal = kAllReduceGoal);

/// The canonical spelling: InsideGroup before Parallel before Master, then the outermost slice.
[[nodiscard]] Spelling spellingOf(const GroupPattern& pattern, int levels);
/// The other spellings with the same groups.
[[nodiscard]] std::vector<Spelling> aliasesOf(const GroupPattern& pattern, int levels);
/// The pattern a spelling means. Errors: groups of a single device, an ancestor that is not above the slice.
[[nodiscard]] Result<GroupPattern> patternOf(const SynthesisHierarchy& hierarchy, const Spelling& spelling);

/// "InsideGroup", "Parallel(root)", "Master(node)".
[[nodiscard]] std::string formText(const SynthesisHierarchy& hierarchy, const Spelling& spelling);
/// "gpu:Parallel(root):AllReduce".
[[nodiscard]] std::string instructionText(const SynthesisHierarchy& hierarchy, const Instruction& instruction);
/// Instructions joined by "; ".
[[nodiscard]] std::string programText(const SynthesisHierarchy& hierarchy, const Program& program);
/// "RS·AR·AG".
[[nodiscard]] std::string programTitle(const Program& program);

/// Reads programText() back, aliases included. The error names the step and what would be right.
[[nodiscard]] Result<Program> parseProgram(const SynthesisHierarchy& hierarchy, std::string_view text);

}  // namespace p2
