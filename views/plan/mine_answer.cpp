// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/mine_answer.h"

#include <QObject>
#include <QStringList>

#include "base/near.h"
#include "base/units.h"
#include "training_answer/document_training.h"
#include "training_answer/training_plan_file.h"
#include "views/common/text.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr double kLeastGain = kDisplayTolerance;  // share of the step; less reads the same

void append(std::vector<std::string>& notes, const std::vector<std::string>& more, const std::string& before = {}) {
  for (const std::string& each : more) notes.push_back(before + each);
}

std::string withoutBlanks(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t') kept += c;
  }
  return kept;
}

QString ratedText(const MineAnswer& answer) {
  const TrainingEvaluation& own = answer.evaluation;
  QString degrees = degreesText(own.mine.configuration);
  if (!own.mine.configuration.layersPerStage.empty()) {
    degrees += QObject::tr(", layers %1").arg(qs(stageLayoutText(own.mine.configuration.layersPerStage)));
  }
  if (own.refused) return QObject::tr("Mine: %1 cannot run: %2.").arg(degrees, qs(own.refused->reason));
  degrees += QObject::tr(" · microbatch %1").arg(batchText(own.mine.configuration));
  QString text = QObject::tr("Mine: %1: %2, %3 MFU, %4.")
                     .arg(degrees, intervalText(own.mine.estimate), shareText(own.mine.estimate.mfu),
                          memoryNeedText(own.mine.memory.total(), own.reserve, own.memory));
  if (!own.fits) return text + ' ' + QObject::tr("It does not fit.");
  if (own.inFramework && own.inAll) {
    text += ' ' + QObject::tr(
                      "Place %1 of %2 variants of %3, %4 of %5 of all frameworks. The table has one variant for "
                      "each layout.")
                      .arg(countText(own.inFramework->rank), countText(own.inFramework->of),
                           qs(own.mine.framework->label), countText(own.inAll->rank), countText(own.inAll->of));
  }
  return text;
}

MineAnswer answerTo(TrainingEvaluation evaluation, const TrainingQuestion& question, const StatedTraining& stated) {
  MineAnswer answer{stated.format, std::move(evaluation), differencesFrom(question, stated)};
  append(answer.notes, stated.open);
  append(answer.notes, stated.assumed, "assumed: ");
  append(answer.notes, stated.unknown, "unknown setting: ");
  append(answer.notes, stated.skipped);
  return answer;
}

}  // namespace

Result<StatedTraining> statedByMine(const std::string& text) {
  return isTrainingPlan(text) ? statedByPlan(text) : readTraining(text);
}

Result<MineAnswer> evaluateMine(const MineQuestion& question, const std::stop_token& stop, const Progress& progress) {
  P2_TRY_ASSIGN(auto input, trainingInputOf(question.system, question.training));
  const GivenSizes sizes{question.training.batch, question.training.sequence};
  if (isTrainingPlan(question.training.mine)) {
    P2_TRY_ASSIGN(const auto own, ownFromPlan(question.training.mine, input, sizes));
    P2_TRY_ASSIGN(auto evaluation,
                  evaluateTraining(input, own.stated, own.configuration, stop, progress, question.extent));
    return answerTo(std::move(evaluation), input.question, own.stated);
  }
  const std::string choices = withoutBlanks(question.training.mine);
  const auto read = fixedChoicesFrom(choices);
  if (read.ok()) {
    P2_TRY_ASSIGN(const auto own, ownFromChoices(input, choices, stop));
    P2_TRY_ASSIGN(auto evaluation,
                  evaluateTraining(input, own.stated, own.configuration, stop, progress, question.extent));
    return MineAnswer{own.stated.format, std::move(evaluation), {}, own.completed};
  }
  if (isChoiceList(question.training.mine)) return read.error();
  P2_TRY_ASSIGN(auto stated, readTraining(question.training.mine));
  P2_TRY_ASSIGN(const auto own, ownConfiguration(stated, input, sizes));
  P2_TRY_ASSIGN(auto evaluation, evaluateTraining(input, stated, own, stop, progress, question.extent));
  return answerTo(std::move(evaluation), input.question, stated);
}

QString mineText(const MineAnswer& answer) {
  QString differences;
  for (const std::string& each : answer.differences) differences += QStringLiteral(" ▲ ") + qs(each) + '.';
  if (!answer.completed.empty()) {
    differences =
        QObject::tr(" You left these open, so they were chosen for you: %1.").arg(qs(answer.completed)) + differences;
  }
  return ratedText(answer) + differences;
}

QString changesText(const MineAnswer& answer, const std::function<QString(std::size_t, const QString&)>& link) {
  const TrainingEvaluation& own = answer.evaluation;
  const bool runs = !own.refused && own.fits;
  QStringList changes;
  for (std::size_t i = 0; i < own.changes.size(); ++i) {
    const TrainingChange& each = own.changes[i];
    if (runs && each.gain < kLeastGain * own.mine.estimate.seconds) continue;
    changes << link(i, runs ? QObject::tr("%1 gains %2").arg(qs(each.choice), secondsText(each.gain))
                            : QObject::tr("%1: %2").arg(qs(each.choice), secondsText(each.planned.estimate.seconds)));
  }
  if (runs && changes.isEmpty())
    return QObject::tr("Changing a single choice gains less than %1.").arg(qs(formatPercent(kLeastGain)));
  if (changes.isEmpty()) return QObject::tr("Changing one or two choices does not make it run.");
  const QString before = runs          ? QObject::tr("Change first: %1.")
                         : own.refused ? QObject::tr("Nearest that runs: %1 a step.")
                                       : QObject::tr("Nearest that fits: %1 a step.");
  return before.arg(changes.join(QStringLiteral("; ")));
}

}  // namespace p2::views
