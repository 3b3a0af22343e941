// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/instruction.h"

namespace p2 {

// A pattern varies the levels (outer, inner]. Down to the devices themselves it is the inside of `outer`'s slices;
// otherwise it is the `inner` slices in parallel, or their masters, below `outer`.

std::vector<GroupPattern> groupPatterns(int levels) {
  std::vector<GroupPattern> patterns;
  for (int outer = 0; outer < levels; ++outer) patterns.push_back({outer, levels, false});
  for (const bool master : {false, true}) {
    for (int inner = 1; inner < levels; ++inner) {
      for (int outer = 0; outer < inner; ++outer) patterns.push_back({outer, inner, master});
    }
  }
  return patterns;
}

Program flatProgram(const SynthesisHierarchy& hierarchy, const Goal& goal) {
  return {{{0, hierarchy.levelCount(), false}, goal.flat}};
}

Spelling spellingOf(const GroupPattern& pattern, int levels) {
  if (pattern.inner == levels) return {pattern.outer, Form::InsideGroup, 0};
  return {pattern.inner, pattern.master ? Form::Master : Form::Parallel, pattern.outer};
}

std::vector<Spelling> aliasesOf(const GroupPattern& pattern, int levels) {
  if (pattern.inner != levels) return {};
  return {{levels, Form::Parallel, pattern.outer}, {levels, Form::Master, pattern.outer}};
}

Result<GroupPattern> patternOf(const SynthesisHierarchy& hierarchy, const Spelling& spelling) {
  const int levels = hierarchy.levelCount();
  const std::string slice = hierarchy.levelName(spelling.slice);
  if (spelling.form == Form::InsideGroup) {
    if (spelling.slice < levels) return GroupPattern{spelling.slice, levels, false};
    return Error{"the groups inside " + slice + " are single devices; use an outer level, as in " +
                 hierarchy.levelName(levels - 1) + ":InsideGroup"};
  }
  if (spelling.ancestor >= spelling.slice) {
    return Error{hierarchy.levelName(spelling.ancestor) + " is not above " + slice +
                 "; Parallel and Master need a level above the slice, as in root"};
  }
  // Below the innermost slice there is one device, so its first device is all of it.
  const bool master = spelling.form == Form::Master && spelling.slice < levels;
  return GroupPattern{spelling.ancestor, spelling.slice, master};
}

}  // namespace p2
