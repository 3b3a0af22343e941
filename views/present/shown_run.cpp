// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/shown_run.h"

#include <algorithm>

#include "synthesis/achieved.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

double secondsOf(const Replay& replay) {
  double seconds = 0;
  for (const StepFacts& facts : replay.facts) seconds += facts.cost ? facts.cost->seconds : 0;
  return seconds;
}

QString runsText(const Replay& replay) {
  return replay.cost.repeat == 1 ? QString() : QObject::tr(" for %1 runs").arg(replay.cost.repeat);
}

QString factsText(const Replay& replay, const StepFacts& facts) {
  if (!facts.cost) return {};
  QStringList texts{QObject::tr("%1 per device").arg(bytesText(facts.mostBytes))};
  if (!facts.link.isEmpty()) {
    texts << QObject::tr("busiest link: %1, %2").arg(facts.link, bytesText(facts.cost->linkBytes));
  }
  texts << secondsText(facts.cost->seconds) + runsText(replay);
  return texts.join(QStringLiteral(" · "));
}

ShownRun::Caption captionOf(const Replay& replay, std::size_t step, std::size_t steps) {
  const Instruction& instruction = replay.program[step];
  ShownRun::Caption caption;
  caption.title =
      QObject::tr("Step %1 of %2: %3").arg(step + 1).arg(steps).arg(stepNotation(*replay.hierarchy, instruction));
  caption.wrong = int(step) >= replay.validSteps();
  caption.rule = qs(traitsOf(instruction.collective).effect);
  if (caption.wrong) {
    caption.rule = replay.failure ? qs(replay.failure->sentence) : replay.refusal;
  } else {
    QStringList premises;
    for (const Premise premise : traitsOf(instruction.collective).premises) {
      premises << QStringLiteral("✓\u00a0") + qs(nameOf(premise));
    }
    caption.premises = premises.join(QStringLiteral(" · "));
  }
  caption.facts = factsText(replay, replay.facts[step]);
  return caption;
}

ShownRun::Caption endOf(const Replay& replay, std::size_t steps) {
  ShownRun::Caption caption;
  const int done = replay.validSteps();
  if (steps == 0) {
    caption.title = QObject::tr("Nothing has been sent yet");
    return caption;
  }
  if (done == 0) {
    caption.title = QObject::tr("Before step 1 of %1").arg(steps);
    return caption;
  }
  caption.title = QObject::tr("After step %1 of %2").arg(done).arg(steps);
  const auto problem = replay.trace.problem();
  caption.wrong = problem.has_value() && std::size_t(done) == steps;
  caption.rule = problem ? qs(problem->message) : qs(achievedOn(*replay.hierarchy, replay.trace.goal()));
  if (problem && !caption.wrong) caption.rule.clear();
  caption.facts = secondsText(secondsOf(replay)) + runsText(replay);
  return caption;
}

}  // namespace

const ShownRun::Caption& ShownRun::captionAt(const Timeline& timeline) const {
  const bool ends = timeline.position() == timeline.steps() && replay->playedSteps() == replay->validSteps();
  const auto at = std::size_t(std::max(0, ends ? timeline.step() : timeline.shownStep()));
  return captions[std::min(at, captions.size() - 1)];
}

ShownRun shownRun(const std::shared_ptr<const Replay>& replay, std::size_t steps) {
  steps = std::max(steps, replay->program.size());
  ShownRun run{replay, runTitle(*replay), {}};
  for (int step = 0; step < replay->playedSteps(); ++step) {
    run.captions.push_back(captionOf(*replay, std::size_t(step), steps));
  }
  run.captions.push_back(endOf(*replay, steps));
  return run;
}

QString timedTitle(const Replay& replay) {
  const QString title = shortProgramNotation(*replay.hierarchy, replay.program);
  if (!replay.complete) return title;
  return QStringLiteral("%1: %2").arg(title, secondsText(secondsOf(replay)));
}

QString runTitle(const Replay& replay) {
  return QObject::tr("%1 on placement %2").arg(timedTitle(replay), qs(replay.placement.matrix().text()));
}

QString toHtml(const ShownRun::Caption& caption) {
  QString html = QStringLiteral("<big><b>%1</b></big>").arg(caption.title.toHtmlEscaped());
  if (!caption.premises.isEmpty()) html += "<br>" + caption.premises.toHtmlEscaped();
  if (!caption.rule.isEmpty()) {
    const QString mark = caption.wrong ? QStringLiteral("✗ ") : QStringLiteral("⟹ ");
    html += QStringLiteral("<br><span style='color:%1'>%2</span>")
                .arg((caption.wrong ? Theme::bad() : Theme::text()).name(), (mark + caption.rule).toHtmlEscaped());
  }
  if (!caption.facts.isEmpty()) html += "<br>" + caption.facts.toHtmlEscaped();
  return html;
}

}  // namespace p2::views
