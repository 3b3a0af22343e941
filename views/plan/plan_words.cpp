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
#include "workload/axis_names.h"

namespace p2::views {
namespace {

constexpr double kSpareShare = 0.9;

QString tr(const char* text) { return QCoreApplication::translate("PlanWords", text); }

bool keepsTensorInside(const PlannedConfiguration& planned, const System& system) {
  if (planned.matrix.empty()) return true;
  for (std::size_t axis = 0; axis < planned.axes.size(); ++axis) {
    if (planned.axes[axis].name == kTensorAxis && spreadOf(planned, system, axis).across > 1) return false;
  }
  return true;
}

QString joined(const std::vector<std::string>& names) {
  QStringList list;
  for (const std::string& name : names) list << qs(name);
  return list.join(QStringLiteral(", "));
}

}  // namespace

QString findingOf(const PlannerAnswer& found) {
  const TrainingAnswer& answer = found.answer;
  const PlannedConfiguration& best = answer.configurations.front();
  const QString fits = memoryNeedText(best.memory.total(), answer.reserve, answer.memory);
  QString text = tr("Best: %1 · microbatch %2 with %3. %4 per step with the 80 % interval; %5 MFU, %6.")
                     .arg(degreesText(best.configuration), batchText(best.configuration), qs(best.framework->label),
                          intervalText(best.estimate), shareText(best.estimate.mfu), fits);
  const auto ties = best.tiesWith.size();
  if (ties == 0) return text;
  return text + ' ' +
         tr("%1 as fast within the intervals.").arg(counted(std::int64_t(ties), tr("other is"), tr("others are")));
}

QString chosenText(const PlannerAnswer& found, const PlannedConfiguration* shown, int shownRow) {
  if (shown == nullptr || shownRow == 0) return tr("A click on another row chooses it for all pages.");
  const double best = found.answer.configurations.front().estimate.seconds;
  const bool isTied = shownRow > 0 && isTiedWithBest(found.answer, std::size_t(shownRow));
  const QString place = isTied         ? tr("place %1, as fast within the intervals").arg(shownRow + 1)
                        : shownRow > 0 ? tr("place %1").arg(shownRow + 1)
                                       : tr("not listed, since a faster variant of its degrees is");
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

std::vector<int> filteredRows(const PlannerAnswer& found, const PlanFilter& filter) {
  std::vector<int> rows;
  const auto& all = found.answer.configurations;
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (filter.tensorInside && !keepsTensorInside(all[row], found.question.system)) continue;
    if (filter.spareTenth && all[row].memory.total() + found.answer.reserve > kSpareShare * found.answer.memory)
      continue;
    rows.push_back(int(row));
  }
  return rows;
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
