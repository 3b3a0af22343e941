// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/summary.h"

#include <QCoreApplication>
#include <QStringList>

#include "base/near.h"
#include "views/common/program_notation.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/shell/step_planner.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr QStringView kDot = u" · ";

QStringList axisTexts(const std::vector<Axis>& axes) {
  QStringList texts;
  for (const Axis& axis : axes) texts << qs(axis.name) + " " + QString::number(axis.size);
  return texts;
}

/// ", scattered over data", where only some axes are.
QString scatteredText(const std::vector<Axis>& axes) {
  QStringList names;
  for (const std::string& name : scatteredAxes(axes)) names << qs(name);
  return names.isEmpty() ? QString() : ", scattered over " + names.join(", ");
}

QString bestText(const PlacementResult& best, const Workspace& workspace) {
  // With a workload, the best for one reduction is hardly the best for the step.
  const QString of = workspace.workload ? "best for " + reducedAxesText(workspace.axes) + " alone " : "best ";
  const QString single = "one " + singleName(workspace);
  const bool faster = !nearlyEqual(best.speedup(), 1, kDisplayTolerance);
  return of + secondsText(best.rankedBestSeconds()) + ofRuns(workspace.options.cost.repeat) + ", " +
         (faster ? factorText(best.speedup()) + " faster than " + single : "as fast as " + single);
}

}  // namespace

QString singleName(const Workspace& workspace) { return qs(singleNameOf(workspace)); }

QString bandwidthAloneText(const CostOptions& cost) {
  if (cost.model != "paper") return {};
  const QString alone =
      QCoreApplication::translate("Summary", "The paper's model counts bandwidth alone, without latency");
  if (cost.algorithm != Algorithm::Ring) return alone + '.';
  return alone + QCoreApplication::translate("Summary", ", and every collective is a flat ring.");
}

QString trainingSummary(const Workspace& workspace, const StepPlanner& planner) {
  const QString system = qs(describe(workspace.system));
  if (!planner.hasModel()) return QCoreApplication::translate("Summary", "%1 · no model yet").arg(system);
  const TrainingChoice& training = workspace.training;
  QString line = QCoreApplication::translate("Summary", "%1 on %2 · %3 × %4 tokens")
                     .arg(qs(training.model), system)
                     .arg(training.batch)
                     .arg(training.sequence);
  const PlannedConfiguration* shown = planner.shown();
  if (shown == nullptr) return line;
  line += QStringLiteral(" · %1 · %2, %3 MFU")
              .arg(degreesText(shown->configuration), intervalText(shown->estimate), shareText(shown->estimate.mfu));
  return planner.isCurrent() ? line : QCoreApplication::translate("Summary", "%1 · out of date").arg(line);
}

Summary summaryOf(const Workspace& workspace, const Exploration* exploration) {
  const QString reduced = reducedAxesText(workspace.axes);
  QStringList question{qs(describe(workspace.system))};
  question << axisTexts(workspace.axes).join(", ");
  question << (reduced.isEmpty() ? QStringLiteral("nothing to reduce")
                                 : "reduce " + reduced + scatteredText(workspace.axes));
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
    if (axis.reduce) names << qs(axis.name);
  }
  return names.join(QStringLiteral(", "));
}

QString axesText(const std::vector<Axis>& axes) {
  return axes.empty() ? QStringLiteral("no axes") : axisTexts(axes).join(kDot);
}

QString programText(const PlacementResult& placement, const ProgramResult& program) {
  return shortProgramNotation(*placement.hierarchy, program.program) + " " + secondsText(program.seconds);
}

QString predictedText(const Workspace& workspace, const ProgramResult& program) {
  const CostOptions& options = workspace.options.cost;
  std::set<Algorithm> algorithms;
  addAlgorithms(program.steps, algorithms);
  QStringList names;
  for (const Algorithm algorithm : algorithms) names += QString::fromUtf8(nameOf(algorithm));
  // Tool tips break no lines of their own.
  const QStringList leftOut = qs(unmodelledEffectsOf(options, algorithms, workspace.system)).split("; ");
  return "Predicted by the " + qs(options.model) + " model (" + names.join(", ") + "). Not modelled:\n– " +
         leftOut.join("\n– ");
}

QString counted(const Count& count, const QString& noun) {
  return groupedDigits(count) + " " + noun + (count == Count(1) ? "" : "s");
}

QString groupedDigits(const Count& count) {
  QString digits = qs(count.toString());
  for (qsizetype at = digits.size() - 3; at > 0; at -= 3) digits.insert(at, QChar(0x202F));
  return digits;
}

}  // namespace p2::views
