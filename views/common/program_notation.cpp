// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/program_notation.h"

#include <QStringList>

namespace p2::views {
namespace {

QString nameOfCollective(Collective collective) {
  const std::string_view name = nameOf(collective);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

}  // namespace

QString stepNotation(const SynthesisHierarchy& hierarchy, const Instruction& instruction) {
  const Spelling spelling = spellingOf(instruction.pattern, hierarchy.levelCount());
  QString text =
      nameOfCollective(instruction.collective) + "·" + QString::fromStdString(hierarchy.levelName(spelling.slice));
  if (spelling.form == Form::InsideGroup) return text;
  text += spelling.form == Form::Parallel ? "∥" : "∥₁";
  return text + QString::fromStdString(hierarchy.levelName(spelling.ancestor));
}

QString programNotation(const SynthesisHierarchy& hierarchy, const Program& program) {
  QStringList steps;
  for (const Instruction& instruction : program) steps.append(stepNotation(hierarchy, instruction));
  return steps.join(" → ");
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

QString flatName(const Goal& goal) {
  const std::string_view name = nameOf(goal.flat);
  return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

}  // namespace p2::views
