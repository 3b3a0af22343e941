// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/summary.h"

#include <QStringList>

#include "base/units.h"
#include "views/common/program_notation.h"
#include "views/common/ratio_text.h"

namespace p2::views {
namespace {

constexpr QStringView kDot = u" · ";

QStringList axisTexts(const std::vector<Axis>& axes) {
  QStringList texts;
  for (const Axis& axis : axes) texts << QString::fromStdString(axis.name) + " " + QString::number(axis.size);
  return texts;
}

/// ", scattered over data": where it is so along some axes alone.
QString dealtOutText(const std::vector<Axis>& axes) {
  QStringList names;
  for (const std::string& name : scatteredAxes(axes)) names << QString::fromStdString(name);
  return names.isEmpty() ? QString() : ", scattered over " + names.join(", ");
}

QString bestText(const PlacementResult& best, const Workspace& workspace) {
  // Of a document with a workload that is hardly the best of all.
  const QString of = workspace.workload ? "best for " + reducedAxesText(workspace.axes) + " alone " : "best ";
  return of + QString::fromStdString(formatSeconds(best.rankedBestSeconds())) + ofRuns(workspace.options.cost.repeat) +
         ", " + QString::fromStdString(formatFactor(best.speedup())) + " " + flatName(workspace);
}

}  // namespace

QString flatName(const Workspace& workspace) { return QString::fromStdString(flatNameOf(workspace)); }

Summary summaryOf(const Workspace& workspace, const Exploration* exploration) {
  const QString reduced = reducedAxesText(workspace.axes);
  QStringList question{QString::fromStdString(describe(workspace.system))};
  question << axisTexts(workspace.axes).join(", ");
  question << (reduced.isEmpty() ? QStringLiteral("nothing to reduce")
                                 : "reduce " + reduced + dealtOutText(workspace.axes));
  question.removeAll(QString());

  Summary summary{question.join(kDot), {}};
  if (exploration && !exploration->placements.empty()) {
    summary.answer =
        QStringList{counted(exploration->placementCount, "placement"), counted(exploration->programCount, "program"),
                    bestText(exploration->placements[std::size_t(exploration->bestPlacement)], workspace)}
            .join(kDot);
  }
  return summary;
}

QString reducedAxesText(const std::vector<Axis>& axes) {
  QStringList names;
  for (const Axis& axis : axes) {
    if (axis.reduce) names << QString::fromStdString(axis.name);
  }
  return names.join(QStringLiteral(", "));
}

QString axesText(const std::vector<Axis>& axes) {
  return axes.empty() ? QStringLiteral("no axes") : axisTexts(axes).join(kDot);
}

QString programText(const PlacementResult& placement, const ProgramResult& program) {
  return shortProgramNotation(*placement.hierarchy, program.program) + " " +
         QString::fromStdString(formatSeconds(program.seconds));
}

QString predictedText(const Workspace& workspace, const ProgramResult& program) {
  const CostOptions& options = workspace.options.cost;
  std::set<Algorithm> algorithms;
  addAlgorithms(program.steps, algorithms);
  QStringList names;
  for (const Algorithm algorithm : algorithms) names += QString::fromUtf8(nameOf(algorithm));
  // Tool tips break no lines of their own.
  const QStringList leftOut = QString::fromStdString(leftOutOf(options, algorithms, workspace.system)).split("; ");
  return "Predicted by the " + QString::fromStdString(options.model) + " model (" + names.join(", ") +
         "), which leaves out\n– " + leftOut.join("\n– ");
}

QString counted(const Count& count, const QString& noun) {
  return groupedDigits(count) + " " + noun + (count == Count(1) ? "" : "s");
}

QString groupedDigits(const Count& count) {
  QString digits = QString::fromStdString(count.toString());
  for (qsizetype at = digits.size() - 3; at > 0; at -= 3) digits.insert(at, QChar(0x202F));
  return digits;
}

}  // namespace p2::views
