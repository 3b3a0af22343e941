// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "text/csv.h"
#include "training_answer/configuration_text.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("PlanWords", text); }

const PlannedConfiguration& bestOf(const PlannerAnswer& found, const std::vector<int>& places) {
  return found.answer.configurations[places.empty() ? 0 : std::size_t(places.front())];
}

QString joined(const std::vector<std::string>& names) {
  QStringList list;
  for (const std::string& name : names) list << qs(name);
  return list.join(QStringLiteral(", "));
}

}  // namespace

QString findingOf(const PlannerAnswer& found, const std::vector<int>& places) {
  const TrainingAnswer& answer = found.answer;
  const PlannedConfiguration& best = bestOf(found, places);
  const auto all = std::int64_t(answer.configurations.size());
  const QString name =
      std::ssize(places) == all ? tr("Best")
      : places.empty()
          ? tr("The filters leave none of %1; the best without them")
                .arg(counted(all, tr("configuration"), tr("configurations")))
          : tr("Best of the %1 of %2 that the filters leave").arg(countText(std::ssize(places)), countText(all));
  const QString fits = memoryNeedText(best.memory.total(), answer.reserve, answer.memory);
  QString text = tr("%1: %2 · microbatch %3 with %4. %5 per step with the 80 % interval; %6 MFU, %7.")
                     .arg(name, degreesText(best.configuration), batchText(best.configuration),
                          qs(best.framework->label), intervalText(best.estimate), shareText(best.estimate.mfu), fits);
  const auto ties = std::count_if(best.tiesWith.begin(), best.tiesWith.end(), [&](std::size_t place) {
    return places.empty() || std::binary_search(places.begin(), places.end(), int(place));
  });
  if (ties == 0) return text;
  return text + ' ' +
         tr("%1 as fast within the intervals.").arg(counted(std::int64_t(ties), tr("other is"), tr("others are")));
}

QString hiddenBestText(const PlannerAnswer& found, const std::vector<int>& places) {
  if (places.empty() || places.front() == 0) return {};
  const PlannedConfiguration& hidden = found.answer.configurations.front();
  const PlannedConfiguration& best = bestOf(found, places);
  return tr("The filters hide the best of all, %1: %2 (%3).")
      .arg(degreesText(hidden.configuration), secondsText(hidden.estimate.seconds),
           slowerThan(hidden.estimate.seconds, best.estimate.seconds));
}

QString chosenText(const PlannerAnswer& found, const PlannedConfiguration* shown, int shownRow,
                   const std::vector<int>& places) {
  const int bestRow = places.empty() ? 0 : places.front();
  if (shown == nullptr || shownRow == bestRow) return tr("A click on another row chooses it for all pages.");
  const double best = bestOf(found, places).estimate.seconds;
  const bool isTied = shownRow >= 0 && areTied(shown->estimate, bestOf(found, places).estimate);
  const QString place = isTied          ? tr("place %1, as fast within the intervals").arg(shownRow + 1)
                        : shownRow >= 0 ? tr("place %1").arg(shownRow + 1)
                                        : tr("not in the table, which has a faster variant of its degrees");
  return tr("Chosen: %1 · microbatch %2, %3: %4 (%5).")
      .arg(degreesText(shown->configuration), batchText(shown->configuration), place,
           secondsText(shown->estimate.seconds), slowerThan(shown->estimate.seconds, best));
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

QString hiddenText(const PlannerAnswer& found, int shownRow, const std::vector<int>& places) {
  if (shownRow < 0 || places.empty() || std::find(places.begin(), places.end(), shownRow) != places.end()) return {};
  const auto& all = found.answer.configurations;
  const PlannedConfiguration& first = all[std::size_t(places.front())];
  const double shown = all[std::size_t(shownRow)].estimate.seconds;
  return ' ' + tr("The filters hide it; the first row left is %1: %2 (%3).")
                   .arg(degreesText(first.configuration), secondsText(first.estimate.seconds),
                        slowerThan(first.estimate.seconds, shown));
}

std::string planCsv(const PlannerAnswer& found, const std::vector<int>& rows) {
  std::string text =
      "place,framework,tp,sp,tp_overlap,cp,pp,vpp,ep,ep_overlap,etp,dp,zero,microbatch,microbatches,recompute,schedule,"
      "seconds,"
      "seconds_low,"
      "seconds_high,mfu,tokens_per_second,memory,ties_with_best,orders,layers,rank_file\n";
  for (const int row : rows) {
    const PlannedConfiguration& each = found.answer.configurations[std::size_t(row)];
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
    text += isTiedWithBest(found.answer, std::size_t(row)) ? ",yes," : ",no,";
    text += csvCell(joined(each.orders).toStdString()) + ',' +
            stageLayoutText(chunkLayers(found.question.model, each.configuration)) +
            (each.needsRankFile() ? ",yes\n" : ",no\n");
  }
  return text;
}

}  // namespace p2::views
