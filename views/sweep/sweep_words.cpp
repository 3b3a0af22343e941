// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_words.h"

#include <QStringList>
#include <algorithm>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"
#include "explore/sweep_text.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostCrossoversListed = 3;

QString beginningWithCapital(QString sentence) {
  if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
  return sentence;
}

/// "1.20 ms (ring, LL) + 3.10 ms (tree, Simple)".
QString stepsText(const SweepChoice& choice) {
  QStringList steps;
  for (const StepCost& step : choice.steps) {
    steps << secondsText(step.seconds) + " (" + qs(choiceText(step)) + ")";
  }
  return steps.join(" + ");
}

QString partsText(const SweepChoice& choice) {
  return QObject::tr("latency %1, bandwidth %2")
      .arg(secondsText(choice.latencySeconds()), secondsText(choice.seconds - choice.latencySeconds()));
}

QString gainText(double gain, const QString& collective) {
  return gain > 1 ? QObject::tr(", %1 over %2").arg(factorText(gain), collective) : QString();
}

QString choiceWords(const SweepChoice& choice, double gain, const QString& collective) {
  return QObject::tr("%1%2 · %3 %4 · %5 · steps: %6")
      .arg(qs(rangeText(choice.seconds, rangeOf(choice.steps))), gainText(gain, collective), qs(choice.matrix.text()),
           programNotation(*choice.hierarchy, choice.program), partsText(choice), stepsText(choice));
}

}  // namespace

QString nameOfChoice(const Sweep& sweep, const SweepChoice& choice) {
  const std::string title = programTitle(choice.program);
  const bool equal = sweep.range.over != SweepOver::Nodes &&
                     std::any_of(sweep.points.begin(), sweep.points.end(), [&](const SweepPoint& point) {
                       return point.best.program != choice.program && programTitle(point.best.program) == title;
                     });
  return equal ? shortProgramNotation(*choice.hierarchy, choice.program) : qs(title);
}

namespace {

/// Effects missing in the model that small sizes are made of; empty for another range.
QString limitsText(const Sweep& sweep) {
  const QString alone = bandwidthAloneText(sweep.workspace.options.cost);
  return alone.isEmpty() || sweep.range.over != SweepOver::Bytes ? QString() : ' ' + alone;
}

/// That time falls as bytes grow, and why; empty where it never does.
QString fallsText(const Sweep& sweep) {
  const auto falls = fallTexts(sweep);
  if (falls.empty()) return {};
  return ' ' + QObject::tr("The time falls at %1, where NCCL switches to another algorithm or protocol.")
                   .arg(qs(countedText(std::int64_t(falls.size()), "size")));
}

}  // namespace

QString findingOf(const Sweep& sweep) {
  const auto [least, most] =
      std::minmax_element(sweep.points.begin(), sweep.points.end(),
                          [](const SweepPoint& a, const SweepPoint& b) { return a.gain < b.gain; });
  QString gain;
  const QString collective = singleName(sweep.workspace);
  if (most->gain > 1 && nearlyEqual(most->gain, least->gain, kDisplayTolerance)) {
    gain = QObject::tr(", %1 faster than the single %2").arg(factorText(most->gain), collective);
  } else if (most->gain > 1) {
    gain = QObject::tr(", up to %1 faster than the single %3 (at %2)")
               .arg(factorText(most->gain), qs(valueText(sweep.range, most->value)), collective);
  }
  if (most->gain > 1 && isOpenWhichIsFaster(most->best.steps, most->single.steps)) {
    gain += QObject::tr(", a difference within the intervals");
  }
  const QString growing = sweep.range.over == SweepOver::Nodes
                              ? ' ' + beginningWithCapital(qs(growingText(sweep.workspace))) + '.'
                              : QString();
  const SweepChoice& beginning = sweep.points.front().best;
  const bool moves = sweep.range.over != SweepOver::Nodes &&
                     std::any_of(sweep.crossovers.begin(), sweep.crossovers.end(),
                                 [](const auto& crossover) { return crossover.from.matrix != crossover.to.matrix; });
  QString first = nameOfChoice(sweep, beginning);
  if (moves) first = QObject::tr("%1 on %2").arg(first, qs(beginning.matrix.text()));
  if (sweep.crossovers.empty()) {
    return QObject::tr("%1 is best at every value%2.").arg(first, gain) + growing + fallsText(sweep) +
           limitsText(sweep);
  }
  QStringList parts{
      QObject::tr("%1 is best up to %2").arg(first, qs(valueText(sweep.range, sweep.crossovers.front().value)))};
  for (std::size_t i = 0; i < std::min(sweep.crossovers.size(), kMostCrossoversListed); ++i) {
    parts << qs(crossoverText(sweep.range, sweep.crossovers[i]));
  }
  if (sweep.crossovers.size() > kMostCrossoversListed) {
    const auto more = sweep.crossovers.size() - kMostCrossoversListed;
    parts << (more == 1 ? QObject::tr("the best changes once more after that")
                        : QObject::tr("the best changes %1 more times after that").arg(more));
  }
  return beginningWithCapital(parts.join("; ") + gain + ".") + growing + fallsText(sweep) + limitsText(sweep);
}

QString findingOf(const SweepMap& map) {
  std::vector<std::size_t> columns(map.placements.size());
  for (const std::size_t row : map.bestRow) ++columns[row];
  const auto most = std::max_element(columns.begin(), columns.end());
  const int row = int(most - columns.begin());
  return QObject::tr("%1 %2 is the best placement at %3 of %4 values; %5 wins on most placements.")
      .arg(Theme::categoryLetter(row), qs(map.placements[std::size_t(row)].text()))
      .arg(*most)
      .arg(map.values.size())
      .arg(qs(map.winners.front()));
}

QString pointText(const Sweep& sweep, std::size_t point) {
  const SweepPoint& shown = sweep.points[point];
  const SweepChoice& single = shown.single;
  const QString collective = singleName(sweep.workspace);
  return QObject::tr("%1 · %2 · %6: %3 (%4) on %5")
      .arg(qs(valueText(sweep.range, shown.value)), choiceWords(shown.best, shown.gain, collective),
           qs(formatSeconds(single.seconds)), qs(choicesText(single)), qs(single.matrix.text()), collective);
}

QString cellText(const SweepMap& map, std::size_t row, std::size_t column) {
  const SweepCell& cell = map.at(row, column);
  const QString best = map.bestRow[column] == row ? QObject::tr(" · the best of all placements") : QString();
  return QObject::tr("%1 · %2 · %3%4")
      .arg(qs(valueText(map.range, map.values[column])), Theme::categoryLetter(int(row)),
           choiceWords(cell.best, cell.gain, singleName(map.workspace)), best);
}

}  // namespace p2::views
