// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/finding.h"

#include <QCoreApplication>

#include "base/near.h"
#include "base/units.h"
#include "explore/open_choices.h"
#include "views/common/program_notation.h"
#include "views/common/ratio_text.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

QString findingTr(const char* text) { return QCoreApplication::translate("Finding", text); }

QString secondsText(double seconds) { return QString::fromStdString(formatSeconds(seconds)); }

/// Of how many nodes a reduction group of a placement has devices.
std::int64_t nodesOfAGroup(const Workspace& workspace, const ParallelismMatrix& matrix) {
  std::int64_t nodes = 1;
  const std::size_t depth = nodeDepth(workspace.system);
  for (std::size_t axis = 0; axis < workspace.axes.size(); ++axis) {
    for (std::size_t level = 0; workspace.axes[axis].reduce && level < depth; ++level) nodes *= matrix.at(axis, level);
  }
  return nodes;
}

/// Nodes by their own name: racks, where NVLink joins those.
QString nodesText(const System& system, std::int64_t nodes) {
  const std::size_t depth = nodeDepth(system);
  const QString name = depth == 0 ? QStringLiteral("node") : QString::fromStdString(system.levels[depth - 1].name);
  return nodes == 1 ? findingTr("stays inside a %1").arg(name) : findingTr("crosses %1 %2s").arg(nodes).arg(name);
}

/// What tells the other placement, or the one collective, from the best.
QString reasonOf(const Exploration& exploration, const PlacementResult& best, const PlacementResult& other) {
  const std::int64_t here = nodesOfAGroup(exploration.workspace, best.matrix);
  const std::int64_t there = nodesOfAGroup(exploration.workspace, other.matrix);
  if (here != there) {
    return findingTr("because its reduction %1, that of the best %2")
        .arg(nodesText(exploration.workspace.system, there), nodesText(exploration.workspace.system, here));
  }
  if (best.programs.empty()) return {};
  return findingTr("because one collective does in one go what %1 does level by level")
      .arg(shortProgramNotation(*best.hierarchy, best.programs.front().program));
}

}  // namespace

QString findingOf(const Exploration& exploration, bool alone) {
  if (exploration.placements.empty()) return {};
  const PlacementResult& best = exploration.placements[std::size_t(exploration.bestPlacement)];
  const bool known = exploration.defaultPlacement >= 0;
  const PlacementResult& other = known ? exploration.placements[std::size_t(exploration.defaultPlacement)] : best;
  const QString flat = flatName(exploration.workspace);
  const QString who = known ? findingTr("the default of JAX and PyTorch with one %1").arg(flat)
                            : findingTr("one %1 on the same placement").arg(flat);
  const QString seconds = secondsText(best.rankedBestSeconds());
  const QString text = alone
                           ? findingTr("Best for %1 alone %2").arg(reducedAxesText(exploration.workspace.axes), seconds)
                           : findingTr("Best %1").arg(seconds);
  if (!definitelyLess(best.rankedBestSeconds(), other.flatSeconds, kDisplayTolerance))
    return findingTr("%1, and %2 takes no longer.").arg(text, who);
  const QString reason = reasonOf(exploration, best, other);
  const QString finding =
      findingTr("%1; %2 takes %3, %4%5.")
          .arg(text, who, secondsText(other.flatSeconds), slowerThan(other.flatSeconds, best.rankedBestSeconds()),
               reason.isEmpty() ? QString() : QStringLiteral(", ") + reason);
  const OpenChoices open = openChoices(exploration);
  if (!(known ? open.usual : open.single)) return finding;
  return finding + findingTr(" The intervals of both times leave open which is faster.");
}

}  // namespace p2::views
