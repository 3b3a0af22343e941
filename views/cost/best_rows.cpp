// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/best_rows.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "explore/open_choices.h"
#include "views/common/program_notation.h"
#include "views/common/quantity_text.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/cost/cost_series.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

const PlacementResult& placementOf(const Exploration& exploration, const BestRow& row) {
  return exploration.placements[std::size_t(row.placement)];
}

Program bestProgramOf(const Exploration& exploration, const BestRow& row) {
  const PlacementResult& placement = placementOf(exploration, row);
  return placement.programs.empty() ? singleProgram(*placement.hierarchy, exploration.workspace.options.goal)
                                    : placement.programs[0].program;
}

/// "≈ C, E, 2 more and one AllReduce on B may be as fast."; empty for nothing.
QString openText(const Exploration& exploration, const BestRow& best) {
  constexpr std::size_t kMostNamed = 3;
  const OpenChoices open = openChoices(exploration);
  QStringList parts;
  for (std::size_t i = 0; i < std::min(kMostNamed, open.placements.size()); ++i) {
    parts += Theme::categoryLetter(int(open.placements[i]));
  }
  if (open.placements.size() > kMostNamed) parts += QObject::tr("%1 more").arg(open.placements.size() - kMostNamed);
  if (open.single) {
    parts += QObject::tr("one %1 on %2").arg(singleName(exploration.workspace), Theme::categoryLetter(best.placement));
  }
  if (parts.isEmpty()) return {};
  const QString last = parts.takeLast();
  const QString all = parts.isEmpty() ? last : QObject::tr("%1 and %2").arg(parts.join(QStringLiteral(", ")), last);
  return QObject::tr("≈ By the intervals %1 may be as fast.").arg(all);
}

}  // namespace

std::vector<BestRow> bestRows(const Exploration& exploration) {
  const CostColours colours(exploration);
  std::vector<BestRow> rows;
  for (const std::size_t number : rankedPlacements(exploration)) {
    const int i = int(number);
    const PlacementResult& placement = exploration.placements[number];
    rows.push_back({i, placement.rankedBestSeconds(), placement.singleSeconds, placement.limit.seconds,
                    colours.categoryOf(i), i == exploration.bestPlacement, i == exploration.defaultPlacement});
  }
  return rows;
}

double longestOf(const std::vector<BestRow>& rows) {
  double longest = 0;
  for (const BestRow& row : rows) longest = std::max({longest, row.best, row.single});
  return longest;
}

QString markedLetter(const BestRow& row) {
  return (row.isBest ? QStringLiteral("★ ") : QString()) + (row.isDefault ? QStringLiteral("◇ ") : QString()) +
         Theme::categoryLetter(row.placement);
}

QString programOf(const Exploration& exploration, const BestRow& row) {
  return programNotation(*placementOf(exploration, row).hierarchy, bestProgramOf(exploration, row));
}

QString singleText(const Exploration& exploration, const BestRow& row) {
  const QString mark = row.isDefault ? QStringLiteral("◇ ") : QString();
  return QObject::tr("%1%2 %3, %4")
      .arg(mark, singleName(exploration.workspace), secondsText(row.single), slowerThan(row.single, row.best));
}

QString bestFinding(const Exploration& exploration, const std::vector<BestRow>& rows) {
  if (rows.empty()) return {};
  const BestRow& best = rows[0];
  QStringList text{
      QObject::tr("★ %1 is best: %2 takes %3%4.")
          .arg(Theme::categoryLetter(best.placement),
               shortProgramNotation(*placementOf(exploration, best).hierarchy, bestProgramOf(exploration, best)),
               secondsText(best.best), ofRuns(exploration.workspace.options.cost.repeat))};
  if (const QString open = openText(exploration, best); !open.isEmpty()) text += open;
  const auto standard = std::find_if(rows.begin(), rows.end(), [](const BestRow& row) { return row.isDefault; });
  if (standard != rows.end()) {
    text += QObject::tr("◇ The default of JAX/PyTorch, %1 with one %2, takes %3, %4.")
                .arg(Theme::categoryLetter(standard->placement), singleName(exploration.workspace),
                     secondsText(standard->single), slowerThan(standard->single, best.best));
  }
  const auto lowest =
      std::min_element(rows.begin(), rows.end(), [](const BestRow& a, const BestRow& b) { return a.limit < b.limit; });
  if (lowest->limit > 0) text += QObject::tr("┊ No program takes less than %1.").arg(secondsText(lowest->limit));
  return text.join(' ');
}

QString pricedHow(const CostOptions& cost) {
  const std::string_view algorithm = nameOf(cost.algorithm);
  return QObject::tr("%1 of %2 per device, %3 model, %4")
      .arg(counted(cost.repeat, QObject::tr("run"), QObject::tr("runs")), shownBytes(cost.bytes), qs(cost.model),
           qs(algorithm));
}

std::string bestCsv(const Exploration& exploration, const std::vector<BestRow>& rows) {
  std::string csv = exploration.workspace.options.goal == kAllReduceGoal
                        ? "matrix,program,seconds,allreduce_seconds,limit_seconds\r\n"
                        : "matrix,program,seconds,flat_seconds,limit_seconds\r\n";
  for (const BestRow& row : rows) {
    const PlacementResult& placement = placementOf(exploration, row);
    csv += "\"" + placement.matrix.text() + "\",\"" +
           programText(*placement.hierarchy, bestProgramOf(exploration, row)) + "\"," + exactNumber(row.best) + "," +
           exactNumber(row.single) + "," + (row.limit > 0 ? exactNumber(row.limit) : "") + "\r\n";
  }
  return csv;
}

}  // namespace p2::views
