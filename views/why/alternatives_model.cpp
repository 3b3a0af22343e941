// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/alternatives_model.h"

#include <QGuiApplication>
#include <QPalette>

#include "base/near.h"
#include "base/units.h"
#include "views/common/text.h"
#include "views/shell/training_text.h"

namespace p2::views {

using Verdict = PlanAlternative::Verdict;

void AlternativesModel::setAlternatives(std::shared_ptr<const std::vector<PlanAlternative>> found,
                                        const StepEstimate& plan) {
  if (m_found == found) return;
  reset([&] {
    m_found = std::move(found);
    m_plan = plan;
  });
}

bool AlternativesModel::isLink(const QModelIndex& index) const {
  return index.isValid() && index.column() == Change && at(index.row()).verdict != Verdict::Refused;
}

/// Both times and the difference must agree as they are read.
QString AlternativesModel::differenceText(const PlanAlternative& each) const {
  const double difference = each.planned.estimate.seconds - m_plan.seconds;
  if (nearlyEqual(each.planned.estimate.seconds, m_plan.seconds, kDisplayTolerance)) return tr("no difference");
  const QString share = qs(formatPercent(std::abs(difference) / m_plan.seconds));
  const QString size = secondsText(std::abs(difference));
  return difference > 0 ? tr("+%1 (%2)").arg(size, share) : tr("−%1 (%2)").arg(size, share);
}

QString AlternativesModel::nearestText() const {
  if (count() == 0 || at(0).verdict != Verdict::Runs) return tr("No plan has another value of a choice.");
  const PlanAlternative& nearest = at(0);
  const QString change = qs(nearest.choice);
  if (areTied(nearest.planned.estimate, m_plan)) {
    return tr("Nearest: %1, %2, within the error of the prediction.").arg(change, differenceText(nearest));
  }
  return nearest.reason.empty() ? tr("Nearest: %1, %2.").arg(change, differenceText(nearest))
                                : tr("Nearest: %1, %2: %3.").arg(change, differenceText(nearest), qs(nearest.reason));
}

std::vector<TableColumn> AlternativesModel::columns() const {
  return {
      {tr("best plan with"),
       tr("The fastest plan with another value of one choice; all other choices may differ too, unless all else is "
          "kept. A click compares it with this plan, line by line")},
      {tr("step"), tr("Step of that plan; as if it fitted, where it does not"), true},
      {tr("against this plan"), tr("Seconds of a step more or less than this plan"), true},
      {tr("because"), tr("The part of the step that makes most of the difference, or why it does not run; within the "
                         "error where the prediction cannot tell which of both is faster")}};
}

QString AlternativesModel::text(int row, int column) const {
  const PlanAlternative& each = at(row);
  const bool has = each.verdict != Verdict::Refused;
  switch (column) {
    case Change:
      // The layers of all stages are for the tooltip.
      return (each.key == "layers" ? tr("other layers for the stages") : qs(each.choice)) +
             (each.keepsRest && each.verdict != Verdict::Refused ? tr(", all else kept") : QString());
    case Step:
      return has ? secondsText(each.planned.estimate.seconds) : QStringLiteral("–");
    case Difference:
      return has ? differenceText(each) : QStringLiteral("–");
    case Reason:
      if (each.verdict == Verdict::TooLarge) return tr("does not fit: %1").arg(qs(each.reason));
      if (each.verdict == Verdict::Refused)
        return tr("%1 refuses it: %2").arg(qs(each.planned.framework->label), qs(each.reason));
      if (areTied(each.planned.estimate, m_plan)) {
        return each.reason.empty() ? tr("within the error") : tr("%1 (within the error)").arg(qs(each.reason));
      }
      return qs(each.reason);
    default:
      return {};
  }
}

QString AlternativesModel::toolTip(int row, int column) const {
  const PlanAlternative& each = at(row);
  if (each.verdict == Verdict::Refused) return text(row, Reason);
  if (each.key == "layers" && column == Change) return qs(each.choice);
  return tr("%1 · microbatch %2: %3. %4")
      .arg(degreesText(each.planned.configuration), batchText(each.planned.configuration),
           intervalText(each.planned.estimate),
           column == Change ? tr("A click compares it with this plan") : text(row, Reason));
}

QVariant AlternativesModel::special(int row, int column, int role) const {
  if (!isLink(index(row, column))) return {};
  if (role == Qt::ForegroundRole) return QGuiApplication::palette().link();
  if (role != Qt::FontRole) return {};
  QFont font = QGuiApplication::font();
  font.setUnderline(true);
  return font;
}

}  // namespace p2::views
