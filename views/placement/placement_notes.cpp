// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/placement_notes.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <limits>
#include <map>

#include "base/counted.h"
#include "base/near.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

constexpr QChar kWarningSign = u'▲';

QString noteTr(const char* text) { return QCoreApplication::translate("PlacementNotes", text); }
QString seconds(double value) { return secondsText(value); }
QString factor(double value) { return factorText(value); }

QString reducedAxes(const Exploration& exploration) {
  return reducedAxesText(exploration.workspace.axes).toHtmlEscaped();
}

/// "data, model and shards".
QString spokenAxes(const Exploration& exploration) {
  QString axes = reducedAxes(exploration);
  const auto last = axes.lastIndexOf(QStringLiteral(", "));
  return last < 0 ? axes : axes.replace(last, 2, noteTr(" and "));
}

/// "makes tensor communicate across nodes, 9.0× slower than it could".
QString whatItDoes(const OtherAxisCost& cost) {
  const bool inside = cost.innermost && cost.within != kRootName;
  const QString axis = qs(cost.axis).toHtmlEscaped();
  const QString where = qs(inside ? cost.within : pluralOf(cost.crosses)).toHtmlEscaped();
  return (inside ? noteTr("makes %1 communicate inside a %2, %3 slower than it could")
                 : noteTr("makes %1 communicate across %2, %3 slower than it could"))
      .arg(axis, where, factor(cost.timesBest));
}

}  // namespace

PlacementNotes::PlacementNotes(std::shared_ptr<const Exploration> exploration, std::shared_ptr<const OtherAxes> others)
    : m_exploration(std::move(exploration)), m_others(std::move(others)) {
  if (!m_exploration || !m_others) return;
  m_othersOf.reserve(m_exploration->placements.size());
  for (const PlacementResult& placement : m_exploration->placements) {
    const auto found = m_others->find(placement.matrix);
    const bool known = found != m_others->end() && !found->second.empty();
    m_othersOf.push_back(known ? &found->second : nullptr);
    if (known) m_kind = Kind::OtherAxes;
  }
}

PlacementNotes::PlacementNotes(std::shared_ptr<const Exploration> exploration,
                               std::shared_ptr<const StepRanking> ranking)
    : m_exploration(std::move(exploration)), m_ranking(std::move(ranking)) {
  if (!m_exploration || !m_ranking || m_ranking->placements.empty()) return;
  m_kind = Kind::Step;
  std::map<ParallelismMatrix, const PlacementStep*> byMatrix;
  for (const PlacementStep& placement : m_ranking->placements) byMatrix.emplace(placement.matrix, &placement);
  m_stepOf.reserve(m_exploration->placements.size());
  for (const PlacementResult& placement : m_exploration->placements) {
    const auto found = byMatrix.find(placement.matrix);
    m_stepOf.push_back(found == byMatrix.end() ? nullptr : found->second);
  }
}

const OtherAxisCost* PlacementNotes::worst(int row) const {
  if (std::size_t(row) >= m_othersOf.size() || m_othersOf[std::size_t(row)] == nullptr) return nullptr;
  const std::vector<OtherAxisCost>& costs = *m_othersOf[std::size_t(row)];
  return &*std::max_element(costs.begin(), costs.end(),
                            [](const OtherAxisCost& a, const OtherAxisCost& b) { return a.timesBest < b.timesBest; });
}

const PlacementStep* PlacementNotes::step(int row) const {
  return std::size_t(row) < m_stepOf.size() ? m_stepOf[std::size_t(row)] : nullptr;
}

QString PlacementNotes::text(int row) const {
  if (const PlacementStep* placement = step(row)) return seconds(placement->stepSeconds);
  const OtherAxisCost* cost = worst(row);
  if (cost == nullptr) return {};
  const QString sign = warns(row) ? kWarningSign + QStringLiteral(" ") : QString();
  return noteTr("%1%2 %3\n%4/GiB").arg(sign, qs(cost->axis), factor(cost->timesBest), seconds(cost->secondsPerGib));
}

QString PlacementNotes::tip(int row) const {
  QStringList lines;
  if (const PlacementStep* placement = step(row)) {
    lines << noteTr("%1, %2 the best")
                 .arg(qs(perStepText(m_ranking->question, placement->stepSeconds)),
                      factor(placement->stepSeconds / m_ranking->placements[0].stepSeconds));
    lines << noteTr("exposed %1, overlappable %2")
                 .arg(seconds(placement->exposedSeconds), seconds(placement->overlappableSeconds));
    QStringList orders;
    for (const std::size_t order : placement->orders) {
      orders << qs(m_ranking->orders[order].order.name);
    }
    if (!orders.isEmpty()) lines << noteTr("the order of %1").arg(orders.join(QStringLiteral(", ")));
  } else if (worst(row) != nullptr) {
    for (const OtherAxisCost& cost : *m_othersOf[std::size_t(row)]) {
      const QString sign = cost.timesBest >= kWarningFactor ? kWarningSign + QStringLiteral(" ") : QString();
      lines << sign + qs(otherAxisText(cost));
    }
  }
  return lines.join('\n');
}

double PlacementNotes::rank(int row) const {
  if (const PlacementStep* placement = step(row)) return placement->stepSeconds;
  const OtherAxisCost* cost = worst(row);
  return cost == nullptr ? std::numeric_limits<double>::infinity() : cost->timesBest;
}

bool PlacementNotes::warns(int row) const {
  const OtherAxisCost* cost = worst(row);
  return cost != nullptr && cost->timesBest >= kWarningFactor;
}

QString PlacementNotes::stepTimeName() const {
  const std::string_view name = m_kind == Kind::Step ? p2::stepTimeName(m_ranking->question) : "step";
  return qs(name);
}

bool PlacementNotes::isBest(int row) const { return m_kind == Kind::Step && step(row) == m_ranking->placements.data(); }

QString PlacementNotes::finding() const {
  return m_kind == Kind::OtherAxes ? othersFinding() : m_kind == Kind::Step ? stepFinding() : QString();
}

QString PlacementNotes::communicationOf(int row) const {
  const PlacementStep* placement = step(row);
  if (placement == nullptr) return {};
  return noteTr(
             "Communication of the plan alone, on its placement <a href=\"%1\">%2</a>: %3 exposed, %4 that may overlap "
             "with computation.")
      .arg(row)
      .arg(qs(placement->matrix.text()), seconds(placement->exposedSeconds), seconds(placement->overlappableSeconds));
}

QString PlacementNotes::othersFinding() const {
  const int best = m_exploration->bestPlacement;
  const OtherAxisCost* cost = worst(best);
  if (cost == nullptr) return {};
  const QString way =
      noteTr("<a href=\"workload\">Add a workload</a> to rank by everything that a training step communicates.");
  const QString alone = spokenAxes(*m_exploration);
  if (cost->timesBest >= kWarningFactor) {
    return kWarningSign +
           noteTr(" The placements are ranked for %1 only. The best one %2. %3").arg(alone, whatItDoes(*cost), way);
  }
  if (nearlyEqual(cost->timesBest, 1, kDisplayTolerance))
    return noteTr("The best placement for %1 is also the best for every other axis. %2").arg(alone, way);
  return noteTr("The best placement for %1 makes no other axis more than %2 slower. %3")
      .arg(alone, factor(cost->timesBest), way);
}

QString PlacementNotes::stepFinding() const {
  const int alone = m_exploration->bestPlacement;
  const auto found = std::find(m_stepOf.begin(), m_stepOf.end(), m_ranking->placements.data());
  const QString name = qs(m_ranking->question.workload.name).toHtmlEscaped();
  const PlacementStep& best = m_ranking->placements[0];
  const QString matrix = qs(best.matrix.text());
  const QString link = found == m_stepOf.end()
                           ? matrix
                           : QStringLiteral("<a href=\"%1\">%2</a>").arg(found - m_stepOf.begin()).arg(matrix);
  const QString text = noteTr("● %1 is best %2: %3")
                           .arg(link, name.isEmpty() ? noteTr("overall") : noteTr("for ") + name,
                                qs(perStepText(m_ranking->question, best.stepSeconds)));
  const PlacementStep* single = step(alone);
  const QString reduced = reducedAxes(*m_exploration);
  if (single == nullptr || reduced.isEmpty()) return text + '.';
  // Others may be as good for the reduction as the first that is the best for it.
  const auto reduction = [&](std::size_t row) { return m_exploration->placements[row].rankedBestSeconds(); };
  const bool isBestForBoth =
      found != m_stepOf.end() && !definitelyLess(reduction(std::size_t(alone)),
                                                 reduction(std::size_t(found - m_stepOf.begin())), kDisplayTolerance);
  if (isBestForBoth || !definitelyLess(best.stepSeconds, single->stepSeconds, kDisplayTolerance))
    return text + noteTr(", and also best for %1 alone.").arg(reduced);
  return text + noteTr(". The <a href=\"%1\">best for %2 alone</a> would take %3, %4.")
                    .arg(alone)
                    .arg(reduced, seconds(single->stepSeconds), slowerThan(single->stepSeconds, best.stepSeconds));
}

}  // namespace p2::views
