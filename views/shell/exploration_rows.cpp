// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/exploration_rows.h"

#include <algorithm>

namespace p2::views {

int placementRow(const Exploration& exploration, const ParallelismMatrix& matrix) {
  const auto& all = exploration.placements;
  const auto it = std::find_if(all.begin(), all.end(), [&](const PlacementResult& p) { return p.matrix == matrix; });
  return it == all.end() ? -1 : int(it - all.begin());
}

int programRow(const PlacementResult& placement, const std::string& text) {
  const auto wanted = parseProgram(*placement.hierarchy, text);
  if (!wanted.ok()) return -1;
  const auto& all = placement.programs;
  const auto it = std::find_if(all.begin(), all.end(), [&](const ProgramResult& r) { return r.program == *wanted; });
  return it == all.end() ? -1 : int(it - all.begin());
}

bool canRunOn(const PlacementResult& placement, const Program& program) {
  const int levels = placement.hierarchy->levelCount();
  return std::all_of(program.begin(), program.end(),
                     [levels](const Instruction& step) { return step.pattern.inner <= levels; });
}

}  // namespace p2::views
