// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/accuracy/accuracy_model.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "base/units.h"
#include "text/text_file.h"
#include "views/common/text.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

bool passes(const TrainingRun& run, const AccuracyFilter& filter) {
  if (!filter.generation.empty() && run.accelerator.generation != filter.generation) return false;
  if (filter.mixture && (run.model.experts > 0) != *filter.mixture) return false;
  return !filter.family || run.configuration.family == *filter.family;
}

bool isFittedTo(const TrainingRun& run) { return run.isScored() && !run.unseen; }

double errorOf(const ComparedStep& step) { return step.estimate->seconds / step.run->seconds - 1; }

ComparedStep comparedStep(const TrainingRun& run) {
  auto estimate = estimateRun(run);
  if (!estimate.ok()) return {&run, std::nullopt, estimate.error().text()};
  return {&run, *estimate, {}};
}

}  // namespace

Result<std::vector<ComparedStep>> comparedSteps(const std::stop_token& stop) {
  std::vector<ComparedStep> steps;
  for (const std::vector<TrainingRun>* runs : {&unseenRuns(), &trainingRuns()}) {
    for (const TrainingRun& run : *runs) {
      if (stop.stop_requested()) return cancelledError();
      steps.push_back(comparedStep(run));
    }
  }
  return steps;
}

Result<std::shared_ptr<const OpenedRuns>> openRuns(const QString& path, const std::stop_token& stop) {
  const QFileInfo file(path);
  P2_TRY_ASSIGN(const std::string text, readTextFile(path.toStdString()));
  auto read = otherTrainingRunsFrom(text, file.completeBaseName().toStdString());
  if (!read.ok()) return read.error().within(file.fileName().toStdString());
  auto opened = std::make_shared<OpenedRuns>(OpenedRuns{file.fileName(), std::move(read).value()});
  for (const TrainingRun& run : opened->table.runs) {
    if (stop.stop_requested()) return cancelledError();
    opened->steps.push_back(run.isScored() ? comparedStep(run) : ComparedStep{&run, std::nullopt, run.unscored});
  }
  return std::shared_ptr<const OpenedRuns>(std::move(opened));
}

void AccuracyModel::setSteps(std::shared_ptr<const std::vector<ComparedStep>> steps, const AccuracyFilter& filter) {
  reset([&] {
    m_steps = std::move(steps);
    m_rows.clear();
    for (std::size_t i = 0; m_steps && i < m_steps->size(); ++i) {
      if (passes(*(*m_steps)[i].run, filter)) m_rows.push_back(i);
    }
  });
}

AccuracySummary AccuracyModel::summary() const {
  AccuracySummary summary;
  std::vector<double> errors;
  std::vector<double> unseen;
  std::size_t within = 0;
  for (int row = 0; row < rowCount(); ++row) {
    const ComparedStep& step = at(row);
    if (!step.estimate || step.run->seconds <= 0) continue;
    summary.fitted += isFittedTo(*step.run) ? 1 : 0;
    errors.push_back(std::abs(std::log1p(errorOf(step))));
    if (step.run->unseen) unseen.push_back(errors.back());
    summary.tooLong += errorOf(step) > 0 ? 1 : 0;
    within += step.estimate->low <= step.run->seconds && step.run->seconds <= step.estimate->high ? 1 : 0;
  }
  summary.steps = errors.size();
  summary.unseen = unseen.size();
  if (!unseen.empty()) summary.unseenError = upperMedianOf(std::move(unseen));
  if (errors.empty()) return summary;
  summary.withinInterval = double(within) / double(errors.size());
  summary.medianError = upperMedianOf(std::move(errors));
  return summary;
}

QString AccuracyModel::text(int row, int column) const {
  const ComparedStep& step = at(row);
  const TrainingRun& run = *step.run;
  switch (column) {
    case Model:
      return qs(run.name);
    case Machine:
      return QStringLiteral("%1 × %2").arg(run.configuration.plan.devices).arg(qs(run.device));
    case Degrees:
      return degreesText(run.configuration);
    case Batch: {
      const TrainingPlan& plan = run.configuration.plan;
      return QStringLiteral("%1 × %2").arg(plan.microbatch * plan.microbatches * plan.data).arg(plan.sequence);
    }
    case Precision:
      return qs(nameOf(run.configuration.precision));
    case Measured:
      return secondsText(run.seconds);
    case Predicted:
      return step.estimate ? intervalText(*step.estimate) : QStringLiteral("–");
    case Error:
      return step.estimate ? qs(formatSignedPercent(errorOf(step))) : QStringLiteral("–");
    case Fitted:
      return isFittedTo(run) ? tr("yes") : tr("no");
    case Source:
      return qs(run.source);
    default:
      return {};
  }
}

QString AccuracyModel::toolTip(int row, int column) const {
  const TrainingRun& run = *at(row).run;
  const std::string& problem = at(row).problem;
  if ((column == Predicted || column == Error) && !problem.empty()) return qs(problem);
  if (column == Fitted && run.unseen) return tr("No constant was fitted to it, so it tests the model");
  if (column == Fitted && !run.isScored()) return qs(run.unscored);
  if (column == Source) return qs(run.reference);
  QString tip = qs(describe(run.configuration));
  for (const std::string& each : run.assumed) tip += '\n' + tr("assumed: %1").arg(qs(each));
  return tip;
}

std::vector<TableColumn> AccuracyModel::columns() const {
  return {{tr("Model")},
          {tr("Machine")},
          {tr("Degrees")},
          {tr("Batch"), tr("Sequences of a step × tokens of a sequence")},
          {tr("Precision")},
          {tr("Measured"), {}, true},
          {tr("Predicted")},
          {tr("Error"), {}, true},
          {tr("Used to fit"), tr("Whether the constants of the model were fitted to this step, among others")},
          {tr("Published by")}};
}

}  // namespace p2::views
