// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/composing.h"

#include <QObject>
#include <algorithm>

#include "views/common/program_notation.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString moreSteps(int count) {
  return count == 1 ? QObject::tr("at least 1 more step") : QObject::tr("at least %1 more steps").arg(count);
}

QString resultOf(const ComposingQuestion& question, const Composing& composing, const Instruction& instruction) {
  const ExploreOptions& options = question.exploration->workspace.options;
  Program longer(question.program.begin(), question.program.begin() + composing.all.validSteps);
  longer.push_back(instruction);
  const auto trace = ProgramTrace::run(composing.placement, *composing.hierarchy, longer, options.rules, options.goal);
  if (!trace.ok() || trace->validSteps() < int(longer.size())) return {};
  const DeviceGroup group = composing.hierarchy->groups(instruction.pattern).front();
  return holdingValues(*trace, composing.placement, group, int(longer.size())).text;
}

}  // namespace

Result<Composing> makeComposing(const ComposingQuestion& question, std::stop_token stop) {
  const PlacementResult& result = question.exploration->placements[question.placement];
  P2_TRY_ASSIGN(auto all, composed(*question.exploration, question.placement, *question.guide, question.program, stop));
  Composing composing{
      result.hierarchy, Placement(question.exploration->workspace.axes, result.matrix), std::move(all), {}};
  for (const NextStep& step : composing.all.next.steps) {
    if (stop.stop_requested()) return cancelledError();
    composing.results.push_back(step.runs() ? resultOf(question, composing, step.instruction) : QString());
  }
  return composing;
}

Findings findingsOf(const Composition& all) {
  Findings findings;
  if (all.pairs.count > 0) {
    findings.count = all.pairs.count;
    findings.representatives = all.pairs.representatives;
    for (const PremiseFailure& pair : all.pairs.pairs) {
      Finding finding{qs(pair.sentence), {pair.members, {}}};
      const DeviceGroup& devices = pair.members.empty() ? pair.group : pair.members;
      for (const Device device : devices) {
        for (const int row : pair.rows) finding.emphasis.rows.push_back({device, row});
      }
      findings.shown.push_back(std::move(finding));
    }
  }
  if (all.missing.count > 0) {
    findings.count = all.missing.count;
    findings.representatives = all.missing.representatives;
    for (const MissingPart& part : all.missing.parts) {
      Finding finding{qs(part.sentence), {{part.device}, {}}};
      if (part.chunk >= 0) finding.emphasis.rows.push_back({part.device, part.chunk});
      findings.shown.push_back(std::move(finding));
    }
  }
  return findings;
}

QString rankText(const ProgramRank& rank) {
  const QString of = qs(rank.of.toString());
  const auto place = qulonglong(rank.cheaper) + 1;
  if (rank.atLeast) return QObject::tr("slower than at least %1 of %2 programs").arg(rank.cheaper).arg(of);
  if (rank.of == Count(1)) return QObject::tr("the only program");
  if (place == 1) return QObject::tr("the fastest of %1 programs").arg(of);
  return QObject::tr("number %1 of %2 programs by time").arg(place).arg(of);
}

QString statusText(const Composing& composing) {
  const Composition& all = composing.all;
  if (all.program.empty()) {
    const auto first =
        std::count_if(all.next.steps.begin(), all.next.steps.end(), [](const NextStep& step) { return step.runs(); });
    return QObject::tr("Choose the first step: + lists %1 that can run").arg(first);
  }
  if (all.failure) return QObject::tr("✗ step %1 cannot run").arg(all.validSteps + 1);
  if (all.next.atGoal) {
    QStringList parts{QObject::tr("✓ goal reached")};
    if (all.seconds) parts.append(secondsText(*all.seconds));
    if (all.rank) parts.append(rankText(*all.rank));
    return parts.join(" · ");
  }
  if (all.next.deadEnd) return QObject::tr("⚠ dead end: %1").arg(qs(all.next.deadEnd->sentence));
  const auto& steps = all.next.steps;
  const auto possible = std::count_if(steps.begin(), steps.end(), [](const NextStep& step) { return step.runs(); });
  const auto dead = std::count_if(steps.begin(), steps.end(), [](const NextStep& step) { return step.deadEnd; });
  QStringList parts{QObject::tr("✓ %1 steps are possible next").arg(possible)};
  if (dead > 0) parts.back() += QObject::tr(", %1 of them a dead end").arg(dead);
  parts.append(QObject::tr("✗ %1 are not").arg(std::ssize(steps) - possible));
  if (all.next.furtherSteps) parts.append(moreSteps(*all.next.furtherSteps));
  return parts.join(" · ");
}

QString choiceText(const Composing& composing, std::size_t choice) {
  const NextStep& step = composing.all.next.steps[choice];
  const QString name = stepNotation(*composing.hierarchy, step.instruction);
  if (step.unknown) return QObject::tr("%1: unknown, the group is too large and irregular").arg(name);
  if (step.failure) return QObject::tr("✗ %1: %2").arg(name, qs(step.failure->sentence));
  QStringList lines;
  if (step.deadEnd) {
    lines.append(QObject::tr("⚠ %1 runs, but leads to a dead end: %2").arg(name, qs(step.deadEnd->sentence)));
  } else if (step.reachesGoal) {
    lines.append(QObject::tr("✓ %1 reaches the goal").arg(name));
  } else if (step.furtherSteps) {
    lines.append(QObject::tr("✓ %1, then %2").arg(name, moreSteps(*step.furtherSteps)));
  } else {
    lines.append(QObject::tr("✓ %1").arg(name));
  }
  if (step.bestSeconds) {
    lines.back() += step.reachesGoal ? QObject::tr(" · takes %1").arg(secondsText(*step.bestSeconds))
                                     : QObject::tr(" · at best %1 from here").arg(secondsText(*step.bestSeconds));
  }
  if (!composing.results[choice].isEmpty()) lines.append(QString(composing.results[choice]).replace("\n", " · "));
  return lines.join("\n");
}

}  // namespace p2::views
