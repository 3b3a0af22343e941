// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/program_notation.h"

#include <QStringList>

#include "synthesis/program_notation.h"

namespace p2::views {

QString stepNotation(const SynthesisHierarchy& hierarchy, const Instruction& instruction) {
  return QString::fromStdString(notationText(hierarchy, instruction));
}

QString programNotation(const SynthesisHierarchy& hierarchy, const Program& program) {
  QStringList steps;
  for (const Instruction& instruction : program) steps.append(stepNotation(hierarchy, instruction));
  return steps.join(" → ");
}

QString shortProgramNotation(const SynthesisHierarchy& hierarchy, const Program& program) {
  return QString::fromStdString(shortNotation(hierarchy, program));
}

QString programSpellings(const SynthesisHierarchy& hierarchy, const Program& program) {
  QStringList lines;
  for (const Instruction& instruction : program) {
    QString line =
        QString("%1. %2").arg(lines.size() + 1).arg(QString::fromStdString(instructionText(hierarchy, instruction)));
    QStringList aliases;
    for (const Spelling& alias : aliasesOf(instruction.pattern, hierarchy.levelCount())) {
      aliases.append(QString::fromStdString(hierarchy.levelName(alias.slice) + ":" + formText(hierarchy, alias)));
    }
    if (!aliases.isEmpty()) line += "  (also " + aliases.join(", ") + ")";
    lines.append(line);
  }
  return lines.join("\n");
}

}  // namespace p2::views
