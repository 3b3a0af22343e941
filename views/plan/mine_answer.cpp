// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/mine_answer.h"

#include <QObject>

#include "training_answer/document_training.h"
#include "views/common/text.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

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

Result<MineAnswer> evaluateChoices(const TrainingInput& input, const std::string& text, const std::stop_token& stop,
                                   const Progress& progress) {
  const std::string framework(input.question.frameworks.front()->name);
  P2_TRY_ASSIGN(const auto planned, planChosen(input.question, {framework, text, {}}, stop));
  StatedTraining stated;
  stated.format = "choices";
  stated.framework = planned.framework;
  if (!planned.orders.empty()) stated.order = planned.orders.front();
  P2_TRY_ASSIGN(auto evaluation, evaluateTraining(input, stated, planned.configuration, stop, progress));
  return MineAnswer{stated.format, std::move(evaluation), {}, {}};
}

QString ratedText(const MineAnswer& answer) {
  const TrainingEvaluation& own = answer.evaluation;
  QString degrees = degreesText(own.mine.configuration);
  if (!own.mine.configuration.layersPerStage.empty()) {
    degrees += QObject::tr(", layers %1").arg(qs(stageLayoutText(own.mine.configuration.layersPerStage)));
  }
  if (own.refused) return QObject::tr("Mine: %1 cannot run: %2.").arg(degrees, qs(own.refused->reason));
  degrees += QObject::tr(" · microbatch %1").arg(batchText(own.mine.configuration));
  QString text = QObject::tr("Mine: %1: %2, %3 MFU, %4 of %5.")
                     .arg(degrees, intervalText(own.mine.estimate), shareText(own.mine.estimate.mfu),
                          memoryText(own.mine.memory.total() + own.reserve), memoryText(own.memory));
  if (!own.fits) return text + ' ' + QObject::tr("It does not fit.");
  if (own.inAll) {
    text += ' ' + QObject::tr("Place %1 of %2 variants of all frameworks.")
                      .arg(countText(own.inAll->rank), countText(own.inAll->of));
  }
  return text;
}

}  // namespace

Result<MineAnswer> evaluateMine(const MineQuestion& question, const std::stop_token& stop, const Progress& progress) {
  P2_TRY_ASSIGN(auto input, trainingInputOf(question.system, question.training));
  const std::string choices = withoutBlanks(question.training.mine);
  const auto read = fixedChoicesFrom(choices);
  if (read.ok()) return evaluateChoices(input, choices, stop, progress);
  if (isChoiceList(question.training.mine)) return read.error();
  P2_TRY_ASSIGN(auto stated, readTraining(question.training.mine));
  P2_TRY_ASSIGN(const auto own, ownConfiguration(stated, input, {question.training.batch, question.training.sequence}));
  P2_TRY_ASSIGN(auto evaluation, evaluateTraining(input, stated, own, stop, progress));
  MineAnswer answer{stated.format, std::move(evaluation), differencesFrom(input.question, stated), {}};
  append(answer.notes, stated.open);
  append(answer.notes, stated.assumed, "assumed: ");
  append(answer.notes, stated.unknown, "unknown setting: ");
  append(answer.notes, stated.skipped);
  return answer;
}

QString mineText(const MineAnswer& answer) {
  QString differences;
  for (const std::string& each : answer.differences) differences += QStringLiteral(" ▲ ") + qs(each) + '.';
  return ratedText(answer) + differences;
}

QString changeText(const TrainingChange& change) {
  return QObject::tr("%1 gains %2").arg(qs(change.choice), secondsText(change.gain));
}

}  // namespace p2::views
