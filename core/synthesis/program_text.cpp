// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <optional>

#include "base/lists.h"
#include "synthesis/instruction.h"

namespace p2::inline synthesis {
namespace {

/// The forms in the notations in use: "node:Parallel(root):AllReduce" and "AllReduce·node∥root".
struct FormNames {
  Form form;
  std::string_view word;   // before the ancestor in brackets, if there is one
  std::string_view sign;   // between slice and ancestor; longer ones before their prefixes
  std::string_view ascii;  // ASCII form for typing
};
constexpr std::array<FormNames, 5> kForms{{
    {Form::Shards, "Shards", "@shards", "@shards"},
    {Form::Replicas, "Replicas", "@replicas", "@replicas"},
    {Form::Master, "Master", "∥₁", "||1"},
    {Form::Parallel, "Parallel", "∥", "||"},
    {Form::InsideGroup, "InsideGroup", "", ""},
}};

bool hasAncestor(Form form) { return form == Form::Parallel || form == Form::Master; }

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

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
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
  for (const FormNames& form : kForms) {
    if (!hasAncestor(form.form) && text == form.word) return Spelling{slice, form.form, 0};
    const std::string head = std::string(form.word) + "(";
    if (!hasAncestor(form.form) || !text.starts_with(head) || !text.ends_with(")")) continue;
    P2_TRY_ASSIGN(const auto ancestor, readLevel(hierarchy, text.substr(head.size(), text.size() - head.size() - 1)));
    return Spelling{slice, form.form, ancestor};
  }
  return Error{"\"" + text + "\" is not a form; use InsideGroup, Parallel(level) or Master(level)" +
               std::string(hierarchy.replicatedLevels() == 0 ? "" : ", Shards or Replicas")};
}

/// "node∥root"
Result<Spelling> readGroups(const SynthesisHierarchy& hierarchy, const std::string& text) {
  for (const FormNames& form : kForms) {
    const bool inside = form.form == Form::InsideGroup;
    std::size_t length = form.sign.size();
    std::size_t at = inside ? text.size() : text.find(form.sign);
    if (at == std::string::npos) {
      length = form.ascii.size();
      at = text.find(form.ascii);
    }
    if (at == std::string::npos) continue;
    if (!inside && !hasAncestor(form.form) && at + length != text.size()) continue;
    P2_TRY_ASSIGN(const auto slice, readLevel(hierarchy, text.substr(0, at)));
    if (!hasAncestor(form.form)) return Spelling{slice, form.form, 0};
    P2_TRY_ASSIGN(const auto ancestor, readLevel(hierarchy, text.substr(at + length)));
    return Spelling{slice, form.form, ancestor};
  }
  return Error{"\"" + text + "\" names no groups"};
}

/// "AllReduce·node∥root", or with "." for "·"; the place of the dot and its length, if the text is meant so.
std::optional<std::pair<std::size_t, std::size_t>> dotIn(const std::string& text) {
  for (const std::string_view dot : {"·", "."}) {
    const std::size_t at = text.find(dot);
    if (at != std::string::npos && (dot != "." || collectiveFrom(text.substr(0, at)).ok())) return {{at, dot.size()}};
  }
  return std::nullopt;
}

Result<Instruction> readInstruction(const SynthesisHierarchy& hierarchy, const std::string& text) {
  const std::vector<std::string> parts = splitOutsideBlanks(text, ':');
  if (const auto dot = dotIn(text); dot && parts.size() == 1) {
    P2_TRY_ASSIGN(const auto collective, collectiveFrom(text.substr(0, dot->first)));
    P2_TRY_ASSIGN(const auto spelling, readGroups(hierarchy, text.substr(dot->first + dot->second)));
    P2_TRY_ASSIGN(const auto pattern, patternOf(hierarchy, spelling));
    return Instruction{pattern, collective};
  }
  if (parts.size() != 3) {
    return Error{"\"" + text +
                 "\" is not an instruction; write slice:form:collective, as in root:InsideGroup:AllReduce, or "
                 "AllReduce·root"};
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
    case Form::Shards:
      return "Shards";
    case Form::Replicas:
      return "Replicas";
  }
  return {};
}

std::string instructionText(const SynthesisHierarchy& hierarchy, const Instruction& instruction) {
  const Spelling spelling = spellingOf(instruction.pattern, hierarchy.levelCount());
  return hierarchy.levelName(spelling.slice) + ":" + formText(hierarchy, spelling) + ":" +
         std::string(nameOf(instruction.collective));
}

std::string programText(const SynthesisHierarchy& hierarchy, const Program& program) {
  return joined(program, "; ", [&](const Instruction& instruction) { return instructionText(hierarchy, instruction); });
}

std::string programTitle(const Program& program) {
  return joined(program, "·", [](const Instruction& instruction) { return shortNameOf(instruction.collective); });
}

Result<Program> parseProgram(const SynthesisHierarchy& hierarchy, std::string_view text) {
  Program program;
  std::vector<std::string> steps = splitOutsideBlanks(replaced(replaced(std::string(text), "→", ";"), "->", ";"), ';');
  if (steps.size() > 1 && steps.back().empty()) steps.pop_back();
  for (const std::string& step : steps) {
    const std::string where = "step " + std::to_string(program.size() + 1);
    P2_TRY_ASSIGN(const auto instruction, readInstruction(hierarchy, step).within(where));
    program.push_back(instruction);
  }
  return program;
}

}  // namespace p2::inline synthesis
