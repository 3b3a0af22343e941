// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/break_even_lines.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/workload/ranking_words.h"

namespace p2::views {
namespace {

constexpr double kBeyond = 8;  // room beyond the outermost figure
constexpr std::size_t kMostListed = 4;

double secondsOfGroup(const StepRanking& ranking, const PlacementStep& placement, const EntryGroup& group) {
  double sum = 0;
  for (const std::size_t entry : group.entries) sum += ranking.seconds(placement, entry);
  return sum;
}

QString matrixOf(const StepRanking& ranking, std::size_t placement) {
  return qs(ranking.placements[placement].matrix.text());
}

}  // namespace

std::vector<GroupChoice> groupChoices(const StepRanking& ranking) {
  std::vector<GroupChoice> choices;
  const std::vector<EntryGroup> groups = groupsByAxes(ranking);
  for (const EntryGroup& group : groups) {
    choices.push_back({QObject::tr("all over %1").arg(qs(group.name)), group});
  }
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const bool isGroup = std::any_of(groups.begin(), groups.end(), [&](const EntryGroup& group) {
      return group.entries == std::vector<std::size_t>{i};
    });
    if (isGroup) continue;
    const std::string& name = ranking.entries()[i].name;
    choices.push_back({Theme::categoryLetter(int(i)) + ' ' + qs(name), {name, {i}}});
  }
  return choices;
}

std::size_t BreakEvenChart::bestAt(double ratio) const {
  std::size_t best = answer.least;
  for (const BreakEven& point : answer.points) {
    if (point.ratio <= ratio) best = point.to;
  }
  return best;
}

double BreakEvenChart::secondsAt(std::size_t placement, double ratio) const {
  return lines[placement].secondsAt(ratio / answer.ratio);
}

BreakEvenChart breakEvenChart(const StepRanking& ranking, EntryGroup first, EntryGroup second) {
  BreakEvenChart chart;
  chart.answer = breakEvens(ranking, std::move(first), std::move(second));
  for (std::size_t i = 0; i < ranking.placements.size(); ++i) {
    const PlacementStep& placement = ranking.placements[i];
    chart.lines.push_back({i, secondsOfGroup(ranking, placement, chart.answer.first),
                           secondsOfGroup(ranking, placement, chart.answer.second), i == chart.answer.least});
  }
  chart.lower = chart.upper = chart.answer.ratio;
  for (const BreakEven& point : chart.answer.points) {
    chart.lines[point.to].isBest = true;
    chart.lower = std::min(chart.lower, point.ratio);
    chart.upper = std::max(chart.upper, point.ratio);
  }
  chart.lower /= kBeyond;
  chart.upper *= kBeyond;
  return chart;
}

QString breakEvenFinding(const StepRanking& ranking, const BreakEvenChart& chart) {
  const BreakEvens& answer = chart.answer;
  const QString first = qs(answer.first.name);
  const QString second = qs(answer.second.name);
  const QString own = ratioText(answer.ratio);
  if (answer.points.empty()) {
    return QObject::tr("%1 is best at every ratio of bytes %2 : %3; this workload has %4.")
        .arg(matrixOf(ranking, answer.least), second, first, own);
  }
  QStringList parts;
  for (std::size_t i = 0; i < std::min(answer.points.size(), kMostListed); ++i) {
    parts +=
        QObject::tr("%1 up to %2").arg(matrixOf(ranking, answer.points[i].from), ratioText(answer.points[i].ratio));
  }
  if (answer.points.size() > kMostListed) parts += QObject::tr("%1 more").arg(answer.points.size() - kMostListed);
  const QString text =
      QObject::tr("Best by the ratio of bytes %1 : %2: %3, then %4. This workload has %5.")
          .arg(second, first, parts.join(QStringLiteral(", ")), matrixOf(ranking, answer.points.back().to), own);
  if (answer.here() == 0) return text;
  return QObject::tr("%1 There %2 is best for these two alone, without overlap, and %3 for the whole workload.")
      .arg(text, matrixOf(ranking, answer.here()), matrixOf(ranking, 0));
}

}  // namespace p2::views
