// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/program_notation.h"

#include <QStringList>

#include "synthesis/program_notation.h"
#include "synthesis/step_words.h"
#include "views/common/text.h"

namespace p2::views {

QString groupsText(Form form, const QString& slice, const QString& ancestor, bool shortly) {
  return qs(groupWords(form, slice.toStdString(), ancestor.toStdString(), shortly));
}

QString groupsText(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern) {
  return qs(groupWords(hierarchy, pattern));
}

QString stepNotation(const SynthesisHierarchy& hierarchy, const Instruction& instruction) {
  return qs(stepWords(hierarchy, instruction));
}

QString programNotation(const SynthesisHierarchy& hierarchy, const Program& program) {
  return qs(programWords(hierarchy, program));
}

QString shortProgramNotation(const SynthesisHierarchy& hierarchy, const Program& program) {
  return qs(shortProgramWords(hierarchy, program));
}

QString typedNotation(const SynthesisHierarchy& hierarchy, const Program& program) {
  return qs(notationText(hierarchy, program));
}

QString programSpellings(const SynthesisHierarchy& hierarchy, const Program& program) {
  QStringList lines;
  for (const Instruction& instruction : program) {
    QString line = QString("%1. %2  ·  %3  ·  %4")
                       .arg(lines.size() + 1)
                       .arg(stepNotation(hierarchy, instruction), qs(notationText(hierarchy, instruction)),
                            qs(instructionText(hierarchy, instruction)));
    QStringList aliases;
    for (const Spelling& alias : aliasesOf(instruction.pattern, hierarchy.levelCount())) {
      aliases.append(qs(hierarchy.levelName(alias.slice) + ":" + formText(hierarchy, alias)));
    }
    if (!aliases.isEmpty()) line += "  (also " + aliases.join(", ") + ")";
    lines.append(line);
  }
  return lines.join("\n");
}

}  // namespace p2::views
