// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "base/near.h"
#include "views/common/text.h"
#include "views/shell/summary.h"
#include "views/shell/taken_workload.h"
#include "views/workload/entries_model.h"

namespace p2::views {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("RankingWords", text); }
QString matrixText(const StepRanking& ranking, std::size_t placement) {
  return qs(ranking.placements[placement].matrix.text());
}

/// "across nodes", "in the node".
QString levelText(const System& system, std::size_t level) {
  const bool innermost = level + 1 == system.levels.size() && level > 0;
  if (innermost) return tr("inside a %1").arg(qs(system.levels[level - 1].name));
  return tr("across %1s").arg(qs(system.levels[level].name));
}

QString reductionText(const Workspace& workspace) {
  QStringList reduced;
  for (const Axis& axis : workspace.axes) {
    if (axis.reduce && axis.size > 1) reduced += qs(axis.name);
  }
  return tr("the %1 of %2 alone").arg(qs(workspace.options.goal.name), reduced.join(QStringLiteral(", ")));
}

std::optional<ReductionWinner> winnerOf(const StepRanking& ranking, const Exploration& exploration) {
  const bool sameAxes = std::equal(exploration.workspace.axes.begin(), exploration.workspace.axes.end(),
                                   ranking.question.axes.begin(), ranking.question.axes.end(),
                                   [](const Axis& a, const Axis& b) { return a.name == b.name && a.size == b.size; });
  if (!sameAxes || exploration.workspace.system != ranking.question.system || exploration.placements.empty()) return {};
  // Among the placements as good for the reduction the best one for the step.
  const double best = exploration.placements[std::size_t(exploration.bestPlacement)].rankedBestSeconds();
  std::optional<std::size_t> winner;
  for (const PlacementResult& placement : exploration.placements) {
    if (definitelyLess(best, placement.rankedBestSeconds(), kDisplayTolerance)) continue;
    const auto found = ranking.find(placement.matrix);
    if (found && (!winner || *found < *winner)) winner = found;
  }
  if (!winner) return {};
  return ReductionWinner{*winner, reductionText(exploration.workspace)};
}

/// Seconds of all runs of all entries over an axis.
double secondsOver(const StepRanking& ranking, std::size_t placement, const std::string& axis) {
  double sum = 0;
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const auto& names = ranking.entries()[i].axes;
    if (std::find(names.begin(), names.end(), axis) == names.end()) continue;
    sum += ranking.seconds(ranking.placements[placement], i);
  }
  return sum;
}

/// The axis that makes the difference between two placements.
std::size_t decisiveAxis(const StepRanking& ranking, std::size_t better, std::size_t worse) {
  std::size_t decisive = 0;
  double most = -1;
  const auto& axes = ranking.question.axes;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const double gained = secondsOver(ranking, worse, axes[axis].name) - secondsOver(ranking, better, axes[axis].name);
    if (gained <= most || axes[axis].size == 1) continue;
    most = gained;
    decisive = axis;
  }
  return decisive;
}

QString placementFinding(const StepRanking& ranking, const std::optional<ReductionWinner>& winner) {
  const PlacementStep& best = ranking.placements.front();
  const QString step = qs(perStepText(ranking.question, best.stepSeconds));
  const QString where = whereText(ranking.question.system, ranking.question.axes, best.matrix);
  if (ranking.placements.size() == 1) {
    return tr("There is one placement, %1 (%2): %3.").arg(matrixText(ranking, 0), where, step);
  }
  const double worst = ranking.placements.back().stepSeconds;
  if (!winner || !definitelyLess(best.stepSeconds, ranking.placements[winner->placement].stepSeconds)) {
    QString text = tr("Best: %1 (%2), %3, %4 faster than the slowest")
                       .arg(matrixText(ranking, 0), where, step, factorText(worst / best.stepSeconds));
    if (winner) text += tr(". Choosing by %1 leads to an equally good placement").arg(winner->reduction);
    return text + '.';
  }
  const std::size_t axis = decisiveAxis(ranking, 0, winner->placement);
  return tr("Best: %1, %2. Choosing by %3 would take %4 as long, on %5.")
      .arg(axisWhereText(ranking.question.system, ranking.question.axes, best.matrix, axis), step, winner->reduction,
           factorText(ranking.placements[winner->placement].stepSeconds / best.stepSeconds),
           matrixText(ranking, winner->placement));
}

constexpr std::int64_t kManyMicrobatches = 8;

/// A warning where the training communicates its states in each of many microbatches; else empty.
QString repetitionText(const Workload& workload) {
  if (!workload.training) return {};
  const TrainingPlan plan = resolved(workload.training->plan);
  if (plan.zero < 2 || plan.microbatches < kManyMicrobatches || (plan.zero == 2 && plan.accumulate)) return {};
  const QString states = plan.zero == 2    ? tr("gradients")
                         : plan.accumulate ? tr("weights")
                                           : tr("weights and gradients");
  return tr(" ZeRO %1 moves %2 in each of %3 microbatches, ZeRO 1 once a step: the page Plan compares both.")
      .arg(plan.zero)
      .arg(states)
      .arg(plan.microbatches);
}

}  // namespace

QString axisWhereText(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix,
                      std::size_t axis) {
  std::vector<std::size_t> levels;
  for (std::size_t level = 0; level < matrix.columns(); ++level) {
    if (matrix.at(axis, level) > 1) levels.push_back(level);
  }
  QStringList parts;
  for (const std::size_t level : levels) {
    QString part = levelText(system, level);
    if (levels.size() > 1) part += QStringLiteral(" (%1)").arg(matrix.at(axis, level));
    parts += part;
  }
  return qs(axes[axis].name) + ' ' + parts.join(tr(" and "));
}

QString whereText(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  QStringList parts;
  // The innermost axis communicates most, so it comes first.
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    if (axes[axis].size > 1) parts += axisWhereText(system, axes, matrix, axis);
  }
  return parts.join(QStringLiteral(" · "));
}

std::optional<ReductionWinner> reductionWinner(const StepRanking& ranking, const Exploration* exploration) {
  if (exploration != nullptr) {
    if (auto winner = winnerOf(ranking, *exploration)) return winner;
  }
  const auto& entries = ranking.entries();
  std::optional<std::size_t> largest;
  const auto bytesOf = [&](std::size_t i) { return double(entries[i].bytes) * double(entries[i].count); };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (isReduction(entries[i].kind) && (!largest || bytesOf(i) > bytesOf(*largest))) largest = i;
  }
  if (!largest || ranking.placements.empty()) return {};
  const auto& all = ranking.placements;
  const auto best = cheapestOf(all.begin(), all.end(),
                               [&](const PlacementStep& each) { return ranking.cost(each, *largest).seconds; });
  const QString name = qs(entries[*largest].name);
  return ReductionWinner{std::size_t(best - all.begin()),
                         tr("the %1 of %2 alone").arg(qs(nameOf(entries[*largest].kind)), name)};
}

QString askedText(const StepQuestion& question) {
  QStringList parts{qs(describe(question.system)), qs(question.workload.name),
                    axesText(question.axes.empty() ? question.workload.axes : question.axes),
                    tr("%1 model").arg(qs(question.options.cost.model))};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

QString findingOf(const StepRanking& ranking, const std::optional<ReductionWinner>& winner) {
  return placementFinding(ranking, winner) + repetitionText(ranking.question.workload);
}

QStringList leadersOf(const StepRanking& ranking, std::size_t placement, const std::optional<ReductionWinner>& winner) {
  QStringList names;
  if (winner && winner->placement == placement) names += winner->reduction;
  for (const std::size_t order : ranking.placements[placement].orders) {
    names += qs(ranking.orders[order].order.name);
  }
  return names;
}

QString placementText(const StepRanking& ranking, std::size_t placement, const std::optional<ReductionWinner>& winner) {
  const PlacementStep& shown = ranking.placements[placement];
  QString text =
      tr("%1 · %2 · %3, exposed %4, overlappable %5")
          .arg(matrixText(ranking, placement), whereText(ranking.question.system, ranking.question.axes, shown.matrix),
               qs(perStepText(ranking.question, shown.stepSeconds)), secondsText(shown.exposedSeconds),
               secondsText(shown.overlappableSeconds));
  if (const auto nic = busiestBetweenNodes(ranking, shown)) {
    text += tr(" · %1 through the busiest %2").arg(bytesText(Bytes(nic->bytes)), qs(nic->interconnect));
  }
  const QStringList leaders = leadersOf(ranking, placement, winner);
  if (!leaders.isEmpty()) text += QStringLiteral(" · ") + leaders.join(QStringLiteral(", "));
  return text;
}

QString ordersWithoutMatrix(const StepRanking& ranking) {
  QStringList reasons;
  std::map<QString, QStringList> names;
  for (const RankedOrder& ranked : ranking.orders) {
    if (ranked.placement) continue;
    const QString reason = qs(ranked.order.reason);
    if (!names.contains(reason)) reasons += reason;
    names[reason] += qs(ranked.order.name);
  }
  QStringList lines;
  for (const QString& reason : reasons) lines += names[reason].join(QStringLiteral(", ")) + ": " + reason;
  return lines.join('\n');
}

QString legendName(const std::vector<WorkloadEntry>& entries, std::size_t entry) {
  const std::string& name = entries[entry].name;
  const auto same = std::count_if(entries.begin(), entries.end(), [&](const auto& each) { return each.name == name; });
  return same == 1 ? qs(name) : QStringLiteral("%1 (%2)").arg(qs(name), entryKindText(entries[entry]));
}

QString overlapText(const CommunicationOverlap& overlap) {
  switch (overlap.extent) {
    case CommunicationOverlap::Extent::None:
      return tr("exposed");
    case CommunicationOverlap::Extent::Compute:
      return tr("overlaps with computation");
    case CommunicationOverlap::Extent::Fraction:
      return tr("%1 % overlaps with computation").arg(overlap.value * 100, 0, 'g', 3);
    case CommunicationOverlap::Extent::Window:
      return tr("at most %1 overlaps with computation").arg(secondsText(overlap.value));
  }
  return {};
}

QString ratioText(double ratio) {
  const auto isWhole = [](double value) {
    return nearlyEqual(value, std::round(value), kDisplayTolerance) && std::round(value) >= 1 && value < 1000;
  };
  if (isWhole(ratio)) return QString::number(std::lround(ratio));
  if (ratio > 0 && isWhole(1 / ratio)) return QStringLiteral("1/%1").arg(std::lround(1 / ratio));
  return QString::number(ratio, 'g', 3);
}

}  // namespace p2::views
