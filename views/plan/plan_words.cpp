// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "text/csv.h"
#include "training_answer/configuration_text.h"
#include "training_answer/document_training.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("PlanWords", text); }

QString joined(const std::vector<std::string>& names) {
  QStringList list;
  for (const std::string& name : names) list << qs(name);
  return list.join(QStringLiteral(", "));
}

}  // namespace

QString findingOf(const PlannerAnswer& found) {
  const TrainingAnswer& answer = found.answer;
  const PlannedConfiguration& best = answer.configurations.front();
  const auto all = std::ssize(found.unfiltered ? found.unfiltered->answer.configurations : answer.configurations);
  const auto rows = std::int64_t(found.rows());
  const QString name = rows == all ? tr("Best")
                       : found.leavesNone
                           ? tr("The filters leave none of %1; the best without them")
                                 .arg(counted(all, tr("configuration"), tr("configurations")))
                           : tr("Best of the %1 of %2 that the filters leave").arg(countText(rows), countText(all));
  const QString fits = memoryNeedText(best.memory.total(), answer.reserve, answer.memory);
  QString text = tr("%1: %2 · microbatch %3 with %4. %5 per step with the 80 % interval; %6 MFU, %7.")
                     .arg(name, degreesText(best.configuration), batchText(best.configuration),
                          qs(best.framework->label), intervalText(best.estimate), shareText(best.estimate.mfu), fits);
  const std::size_t ties = best.tiesWith.size();
  if (ties == 0) return text;
  return text + ' ' +
         tr("%1 as fast within the intervals.").arg(counted(std::int64_t(ties), tr("other is"), tr("others are")));
}

QString hiddenBestText(const PlannerAnswer& found) {
  if (!found.unfiltered || found.leavesNone) return {};
  const PlannedConfiguration& hidden = found.unfiltered->answer.configurations.front();
  const PlannedConfiguration& best = found.answer.configurations.front();
  if (chosenFrom(hidden) == chosenFrom(best)) return {};
  return tr("The filters hide the best of all, %1: %2 (%3).")
      .arg(degreesText(hidden.configuration), secondsText(hidden.estimate.seconds),
           slowerThan(hidden.estimate.seconds, best.estimate.seconds));
}

QString chosenText(const PlannerAnswer& found, const PlannedConfiguration* shown, int shownRow) {
  if (shown == nullptr || shownRow == 0) return tr("A click on another row chooses it for all pages.");
  const PlannedConfiguration& best = found.answer.configurations.front();
  const QString seconds = secondsText(shown->estimate.seconds);
  const QString name = tr("%1 · microbatch %2").arg(degreesText(shown->configuration), batchText(shown->configuration));
  if (shownRow < 0 && found.unfiltered && placeOf(chosenFrom(*shown), found.unfiltered->answer)) {
    return tr("Chosen: %1: %2. The filters hide it; the first row left is %3: %4 (%5).")
        .arg(name, seconds, degreesText(best.configuration), secondsText(best.estimate.seconds),
             slowerThan(best.estimate.seconds, shown->estimate.seconds));
  }
  const QString place = shownRow < 0 ? tr("not in the table, which has a faster variant of its degrees")
                        : areTied(shown->estimate, best.estimate)
                            ? tr("place %1, as fast within the intervals").arg(shownRow + 1)
                            : tr("place %1").arg(shownRow + 1);
  return tr("Chosen: %1, %2: %3 (%4).")
      .arg(name, place, seconds, slowerThan(shown->estimate.seconds, best.estimate.seconds));
}

QString lostChoiceText(const Error& problem) {
  return tr("Your choice cannot run here, so that all pages show the best: %1.").arg(qs(problem.message));
}

QString exclusionsText(const PlannerAnswer& found) { return qs(describeExclusions(found.answer)); }

QString rulesText(const TrainingAnswer& answer) {
  QStringList lines;
  for (const auto& [rule, count] : answer.broken) lines << countText(count) + QStringLiteral("  ") + qs(rule);
  return lines.join('\n');
}

bool isTiedWithBest(const TrainingAnswer& answer, std::size_t row) {
  const auto& ties = answer.configurations[row].tiesWith;
  if (row == 0) return !ties.empty();
  return std::find(ties.begin(), ties.end(), std::size_t{0}) != ties.end();
}

std::string planCsv(const PlannerAnswer& found) {
  std::string text =
      "place,framework,tp,sp,tp_overlap,cp,pp,vpp,ep,ep_overlap,etp,dp,zero,microbatch,microbatches,recompute,schedule,"
      "seconds,"
      "seconds_low,"
      "seconds_high,mfu,tokens_per_second,memory,ties_with_best,orders,layers,rank_file\n";
  for (std::size_t row = 0; row < found.rows(); ++row) {
    const PlannedConfiguration& each = found.answer.configurations[row];
    const TrainingPlan& plan = each.configuration.plan;
    text += std::to_string(row + 1) + ',' + std::string(each.framework->name);
    const bool splits = plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None;
    for (const std::int64_t value : {plan.tensor, std::int64_t{splits}, std::int64_t{plan.tensorOverlap}, plan.context,
                                     plan.pipeline, plan.chunks, plan.expert, std::int64_t{plan.expertOverlap},
                                     plan.expertTensor, plan.data, plan.zero, plan.microbatch, plan.microbatches}) {
      text += ',' + std::to_string(value);
    }
    text += ',' + recomputationName(recomputationOf(each.configuration)) + ',' +
            std::string(nameOf(each.configuration.schedule));
    for (const double value : {each.estimate.seconds, each.estimate.low, each.estimate.high, each.estimate.mfu,
                               each.estimate.tokensPerSecond, each.memory.total() + found.answer.reserve}) {
      text += ',' + exactNumber(value);
    }
    text += isTiedWithBest(found.answer, row) ? ",yes," : ",no,";
    text += csvCell(joined(each.orders).toStdString()) + ',' +
            stageLayoutText(chunkLayers(found.question.model, each.configuration)) +
            (each.needsRankFile() ? ",yes\n" : ",no\n");
  }
  return text;
}

}  // namespace p2::views
