// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_model.h"

#include <algorithm>
#include <cmath>

#include "training_answer/configuration_text.h"
#include "training_answer/interval_evidence.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

/// Bars beyond the ones that are seen first may be cut off.
constexpr std::size_t kMeasuredBars = 50;

QString joinedOrders(const PlannedConfiguration& planned) {
  if (planned.needsRankFile()) return PlanModel::tr("with a rank file");
  QStringList names;
  for (const std::string& name : planned.orders) names << qs(name);
  return names.join(QStringLiteral(", "));
}

QString lines(const std::vector<std::string>& texts) {
  QStringList made;
  for (const std::string& text : texts) made << qs(text);
  return made.join('\n');
}

}  // namespace

void PlanModel::setAnswer(std::shared_ptr<const PlannerAnswer> found) {
  reset([&] {
    m_found = std::move(found);
    m_longest = 0;
    for (std::size_t row = 0; row < std::min(std::size_t(count()), kMeasuredBars); ++row) {
      m_longest = std::max(m_longest, at(int(row)).estimate.seconds);
    }
  });
}

void PlanModel::setMine(int place) {
  if (std::exchange(m_mine, place) != place) tellChanged(Place, Place);
}

void PlanModel::setShown(int place) {
  if (std::exchange(m_shown, place) != place) tellChanged(Place, Place);
}

/// A mark of rows that the intervals cannot tell from the best, or from the shown one.
QString PlanModel::placeText(std::size_t place) const {
  if (isTiedWithBest(m_found->answer, place)) return QStringLiteral("1=");
  return QString::number(place + 1) + (isTiedWithShown(place) ? QStringLiteral("≈") : QString());
}

bool PlanModel::isTiedWithShown(std::size_t place) const {
  const auto& ties = m_found->answer.configurations[place].tiesWith;
  return m_shown > 0 && std::find(ties.begin(), ties.end(), std::size_t(m_shown)) != ties.end();
}

QString PlanModel::text(int row, int column) const {
  const PlannedConfiguration& each = at(row);
  switch (column) {
    case Place:
      return (row == m_mine ? QStringLiteral("▸") : QString()) + placeText(std::size_t(row));
    case Degrees:
      return m_found->question.frameworks.size() > 1
                 ? degreesText(each.configuration) + QStringLiteral(" · ") + qs(each.framework->label)
                 : degreesText(each.configuration);
    case Batch:
      return batchText(each.configuration);
    case Memory:
      return memoryText(each.memory.total());
    case Time:
      return {};
    case Step:
      return intervalText(each.estimate);
    case Mfu:
      return shareText(each.estimate.mfu);
    case Tokens:
      return countText(std::llround(each.estimate.tokensPerSecond / double(m_found->question.system.deviceCount())));
    case Layers:
      return each.configuration.plan.pipeline > 1 ? qs(layoutText(m_found->question.model, each.configuration))
                                                  : QStringLiteral("–");
    case Orders:
      return joinedOrders(each);
    default:
      return {};
  }
}

QString PlanModel::toolTip(int row, int column) const {
  const PlannedConfiguration& each = at(row);
  switch (column) {
    case Place:
      if (row == m_mine) return tr("My configuration");
      if (each.needsRankFile() && each.listedSeconds > each.estimate.seconds) {
        return tr("Ranked by %1, its time without the rank file, because the intervals overlap")
            .arg(secondsText(each.listedSeconds));
      }
      if (text(row, Place).endsWith('=')) return tr("As fast as the best, as far as the prediction can tell");
      return text(row, Place).endsWith(QChar(u'≈'))
                 ? tr("As fast as the selected row, as far as the prediction can tell")
                 : QString();
    case Degrees:
      // Narrow tables have no column of microbatches.
      return lines(explainDegrees(each.configuration)) + '\n' + lines(explainBatches(each.configuration));
    case Batch:
      return lines(explainBatches(each.configuration));
    case Memory: {
      const TrainingMemory& memory = each.memory;
      return tr("Fullest device, stage %1: parameters %2, gradients %3, optimizer %4, activations %5, buffers %6, kept "
                "free %7; a device has %8")
          .arg(QString::number(memory.stage), memoryText(memory.parameters), memoryText(memory.gradients),
               memoryText(memory.optimizer), memoryText(memory.activations), memoryText(memory.buffers),
               memoryText(m_found->answer.reserve))
          .arg(memoryText(m_found->answer.memory));
    }
    case Time:
      return timePartsText(each.estimate);
    case Step: {
      const QString wider = qs(describeWiderInterval(m_found->question.model, each.configuration));
      return tr("80 % interval from %1 to %2").arg(secondsText(each.estimate.low), secondsText(each.estimate.high)) +
             (wider.isEmpty() ? QString() : QStringLiteral(". ") + wider);
    }
    case Layers:
      return tr("Layers of every stage: %1").arg(text(row, Layers));
    case Orders: {
      const QString placement = placementText(each, m_found->question.system) + "\n\n" + explainAxes(each);
      return each.needsRankFile() ? tr("No order of the framework gives this placement; a rank file of Slurm or Open "
                                       "MPI does. %1")
                                        .arg(placement)
                                  : placement;
    }
    default:
      return text(row, column);
  }
}

QVariant PlanModel::special(int row, int column, int role) const {
  if (role == Qt::AccessibleTextRole && column == Time) return timePartsText(at(row).estimate);
  return role == Qt::FontRole ? QVariant(Theme::tabularDigits()) : QVariant();
}

std::vector<TableColumn> PlanModel::columns() const {
  return {
      {tr("#"),
       tr("Place by step time; of rows within half a percent the simplest comes first. 1= is as fast as the best, ≈ as "
          "fast as the selected row, as far as the prediction can tell. Errors that all rows share do not count, so "
          "that rows can differ although their intervals overlap"),
       true},
      {tr("Degrees"),
       tr("Tensor, context, pipeline × virtual stages, expert and data parallelism, and the ZeRO stage")},
      {tr("Microbatch"), tr("Sequences of a microbatch, microbatches of a step, recomputation")},
      {tr("Memory"),
       tr("Need of the fullest device. A bar ends at the memory of a device; its hatched part is kept free")},
      {tr("Where the time goes"),
       tr("Computation, the communication of each axis that it does not hide, the bubble and the rest")},
      {tr("Step"), tr("Time of a step. %1").arg(qs(describeInterval()))},
      {tr("MFU"), tr("Model FLOP per second over the peak, without recomputation"), true},
      {tr("tokens/s/GPU"), tr("Tokens per second of one device"), true},
      {tr("Layers"), tr("Layers of the pipeline's stages")},
      {tr("Rank order"), tr("Orders of ranks that give the placement")}};
}

}  // namespace p2::views
