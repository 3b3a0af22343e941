// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/program_notation.h"

#include <QCoreApplication>
#include <QStringList>

#include "base/counted.h"
#include "synthesis/program_notation.h"
#include "system/system.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString groupsTr(const char* text) { return QCoreApplication::translate("ProgramNotation", text); }

bool isAll(const QString& level) { return level == qs(kRootName); }

/// "nodes", "nodes of each rack", "all devices".
QString acrossText(const QString& slice, const QString& ancestor, bool shortly) {
  const QString slices = qs(pluralOf(slice.toStdString()));
  if (isAll(ancestor)) return slices;
  return (shortly ? groupsTr("%1 in %2") : groupsTr("%1 of each %2")).arg(slices, ancestor);
}

QString alongText(const QString& parts, const QString& slice, bool shortly) {
  if (isAll(slice)) return groupsTr("over %1").arg(parts);
  return (shortly ? groupsTr("over %1 in %2") : groupsTr("over %1 inside each %2")).arg(parts, slice);
}

QString describeGroups(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern, bool shortly) {
  const Spelling spelling = spellingOf(pattern, hierarchy.levelCount());
  return views::groupsText(spelling.form, qs(hierarchy.levelName(spelling.slice)), qs(hierarchy.levelName(spelling.ancestor)),
                    shortly);
}

}  // namespace

QString groupsText(Form form, const QString& slice, const QString& ancestor, bool shortly) {
  switch (form) {
    case Form::InsideGroup:
      if (isAll(slice)) return shortly ? groupsTr("over all") : groupsTr("over all devices");
      return (shortly ? groupsTr("in %1") : groupsTr("inside each %1")).arg(slice);
    case Form::Parallel:
      return groupsTr("across %1").arg(acrossText(slice, ancestor, shortly));
    case Form::Master:
      return (shortly ? groupsTr("across %1 (firsts)") : groupsTr("across %1, first devices only"))
          .arg(acrossText(slice, ancestor, shortly));
    case Form::Shards:
      return alongText(groupsTr("shards"), slice, shortly);
    case Form::Replicas:
      return alongText(groupsTr("replicas"), slice, shortly);
  }
  return {};
}

QString groupsText(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern) {
  return describeGroups(hierarchy, pattern, false);
}

QString stepNotation(const SynthesisHierarchy& hierarchy, const Instruction& instruction) {
  return qs(nameOf(instruction.collective)) + ' ' + groupsText(hierarchy, instruction.pattern);
}

QString programNotation(const SynthesisHierarchy& hierarchy, const Program& program) {
  QStringList steps;
  for (const Instruction& instruction : program) steps.append(stepNotation(hierarchy, instruction));
  return steps.join(" → ");
}

QString shortProgramNotation(const SynthesisHierarchy& hierarchy, const Program& program) {
  QStringList steps;
  for (const Instruction& instruction : program) {
    steps.append(qs(shortNameOf(instruction.collective)) + ' ' + describeGroups(hierarchy, instruction.pattern, true));
  }
  return steps.join(" → ");
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
