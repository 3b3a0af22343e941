// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include "synthesis/instruction.h"

namespace p2 {
namespace {

std::vector<std::string> splitOutsideBlanks(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else if (c != ' ' && c != '\n' && c != '\t') {
      parts.back() += c;
    }
  }
  return parts;
}

std::string levelNames(const SynthesisHierarchy& hierarchy) {
  std::string names(kRootName);
  for (const SynthesisLevel& level : hierarchy.levels()) names += ", " + level.name;
  return names;
}

Result<int> readLevel(const SynthesisHierarchy& hierarchy, const std::string& name) {
  const int level = hierarchy.findLevel(name);
  if (level >= 0) return level;
  return Error{"there is no level \"" + name + "\"; the levels are " + levelNames(hierarchy)};
}

Result<Spelling> readForm(const SynthesisHierarchy& hierarchy, int slice, const std::string& text) {
  if (text == "InsideGroup") return Spelling{slice, Form::InsideGroup, 0};
  for (const Form form : {Form::Parallel, Form::Master}) {
    const std::string head = form == Form::Parallel ? "Parallel(" : "Master(";
    if (!text.starts_with(head) || !text.ends_with(")")) continue;
    P2_TRY_ASSIGN(const auto ancestor, readLevel(hierarchy, text.substr(head.size(), text.size() - head.size() - 1)));
    return Spelling{slice, form, ancestor};
  }
  return Error{"\"" + text + "\" is not a form; use InsideGroup, Parallel(level) or Master(level)"};
}

Result<Instruction> readInstruction(const SynthesisHierarchy& hierarchy, const std::string& text) {
  const std::vector<std::string> parts = splitOutsideBlanks(text, ':');
  if (parts.size() != 3) {
    return Error{"\"" + text +
                 "\" is not an instruction; write slice:form:collective, as in root:InsideGroup:AllReduce"};
  }
  P2_TRY_ASSIGN(const auto slice, readLevel(hierarchy, parts[0]));
  P2_TRY_ASSIGN(const auto spelling, readForm(hierarchy, slice, parts[1]));
  P2_TRY_ASSIGN(const auto pattern, patternOf(hierarchy, spelling));
  P2_TRY_ASSIGN(const auto collective, collectiveFrom(parts[2]));
  return Instruction{pattern, collective};
}

}  // namespace

std::string formText(const SynthesisHierarchy& hierarchy, const Spelling& spelling) {
  switch (spelling.form) {
    case Form::InsideGroup:
      return "InsideGroup";
    case Form::Parallel:
      return "Parallel(" + hierarchy.levelName(spelling.ancestor) + ")";
    case Form::Master:
      return "Master(" + hierarchy.levelName(spelling.ancestor) + ")";
  }
  return {};
}

std::string instructionText(const SynthesisHierarchy& hierarchy, const Instruction& instruction) {
  const Spelling spelling = spellingOf(instruction.pattern, hierarchy.levelCount());
  return hierarchy.levelName(spelling.slice) + ":" + formText(hierarchy, spelling) + ":" +
         std::string(nameOf(instruction.collective));
}

std::string programText(const SynthesisHierarchy& hierarchy, const Program& program) {
  std::string text;
  for (const Instruction& instruction : program) {
    text += (text.empty() ? "" : "; ") + instructionText(hierarchy, instruction);
  }
  return text;
}

std::string programTitle(const Program& program) {
  std::string title;
  for (const Instruction& instruction : program) {
    title += (title.empty() ? "" : "·") + std::string(shortNameOf(instruction.collective));
  }
  return title;
}

Result<Program> parseProgram(const SynthesisHierarchy& hierarchy, std::string_view text) {
  Program program;
  std::vector<std::string> steps = splitOutsideBlanks(text, ';');
  if (steps.size() > 1 && steps.back().empty()) steps.pop_back();
  for (const std::string& step : steps) {
    const std::string where = "step " + std::to_string(program.size() + 1);
    P2_TRY_ASSIGN(const auto instruction, readInstruction(hierarchy, step).within(where));
    program.push_back(instruction);
  }
  return program;
}

}  // namespace p2
