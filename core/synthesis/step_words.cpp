// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/step_words.h"

#include "base/counted.h"
#include "base/lists.h"
#include "system/system.h"

namespace p2::inline synthesis {
namespace {

bool isAll(std::string_view level) { return level == kRootName; }

/// "nodes", "nodes of each rack".
std::string acrossWords(std::string_view slice, std::string_view ancestor, bool shortly) {
  const std::string slices = pluralOf(std::string(slice));
  if (isAll(ancestor)) return slices;
  return slices + (shortly ? " in " : " of each ") + std::string(ancestor);
}

std::string alongWords(std::string_view parts, std::string_view slice, bool shortly) {
  const std::string over = "over " + std::string(parts);
  if (isAll(slice)) return over;
  return over + (shortly ? " in " : " inside each ") + std::string(slice);
}

}  // namespace

std::string groupWords(Form form, std::string_view slice, std::string_view ancestor, bool shortly) {
  switch (form) {
    case Form::InsideGroup:
      if (isAll(slice)) return shortly ? "over all" : "over all devices";
      return (shortly ? "in " : "inside each ") + std::string(slice);
    case Form::Parallel:
      return "across " + acrossWords(slice, ancestor, shortly);
    case Form::Master:
      return "across " + acrossWords(slice, ancestor, shortly) + (shortly ? " (firsts)" : ", first devices only");
    case Form::Shards:
      return alongWords("shards", slice, shortly);
    case Form::Replicas:
      return alongWords("replicas", slice, shortly);
  }
  return {};
}

std::string groupWords(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern, bool shortly) {
  const Spelling spelling = spellingOf(pattern, hierarchy.levelCount());
  const bool isWhole = spelling.form == Form::InsideGroup && isAll(hierarchy.levelName(spelling.slice));
  if (isWhole && !shortly && !hierarchy.outsideDigits().empty()) return "inside each group";
  return groupWords(spelling.form, hierarchy.levelName(spelling.slice), hierarchy.levelName(spelling.ancestor),
                    shortly);
}

std::string stepWords(const SynthesisHierarchy& hierarchy, const Instruction& instruction) {
  return std::string(nameOf(instruction.collective)) + " " + groupWords(hierarchy, instruction.pattern);
}

std::string programWords(const SynthesisHierarchy& hierarchy, const Program& program) {
  return joined(program, " → ", [&](const Instruction& step) { return stepWords(hierarchy, step); });
}

std::string shortProgramWords(const SynthesisHierarchy& hierarchy, const Program& program) {
  return joined(program, " → ", [&](const Instruction& instruction) {
    return std::string(shortNameOf(instruction.collective)) + " " + groupWords(hierarchy, instruction.pattern, true);
  });
}

}  // namespace p2::inline synthesis
