// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/finding.h"

#include <QCoreApplication>
#include <QStringList>

#include "base/near.h"
#include "explore/open_choices.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

QString findingTr(const char* text) { return QCoreApplication::translate("Finding", text); }

/// "2.15 instead of 4.16 GB": the unit once where both have it.
QString insteadText(const QString& now, const QString& before) {
  const qsizetype unit = now.lastIndexOf(' ');
  const bool sameUnit = unit > 0 && before.endsWith(now.mid(unit));
  return findingTr("%1 instead of %2").arg(sameUnit ? now.left(unit) : now, before);
}

QString portText(const PortShares& port, double now, double before) {
  return findingTr("%1 through the busiest port of %2")
      .arg(insteadText(bytesText(Bytes(now)), bytesText(Bytes(before))), qs(port.owner));
}

/// Nodes by their own name: racks, where NVLink joins those.
QString nodeName(const System& system) {
  const std::size_t depth = nodeDepth(system);
  return depth == 0 ? QStringLiteral("node") : qs(system.levels[depth - 1].name);
}

QString placementReason(const Exploration& exploration, const GainParts& parts) {
  const QString node = nodeName(exploration.workspace.system);
  QString reason =
      parts.bestNodes == parts.referenceNodes ? findingTr("from the placement")
      : parts.bestNodes == 1
          ? findingTr("from staying inside a %1 instead of crossing %2").arg(node).arg(parts.referenceNodes)
          : findingTr("from crossing %1 %2s instead of %3").arg(parts.bestNodes).arg(node).arg(parts.referenceNodes);
  if (parts.bytesExplainPlacement()) {
    reason += QStringLiteral(" (%1)").arg(portText(*parts.port, parts.port->single, parts.port->reference));
  }
  return reason;
}

QString programReason(const Exploration& exploration, const GainParts& parts) {
  const PlacementResult& best = exploration.placements[std::size_t(exploration.bestPlacement)];
  const QString program =
      best.programs.empty() ? QString() : shortProgramNotation(*best.hierarchy, best.programs.front().program);
  QString reason = findingTr("from the program %1").arg(program);
  if (parts.bytesExplainProgram()) {
    reason += QStringLiteral(": ") + portText(*parts.port, parts.port->best, parts.port->single);
  } else if (parts.latencyExplainsProgram()) {
    reason +=
        findingTr(": %1 of latency").arg(insteadText(secondsText(parts.bestLatency), secondsText(parts.singleLatency)));
  }
  return reason;
}

/// The factors that make a difference, with their reasons; the whole gain is not repeated where there is but one.
QString reasonsOf(const Exploration& exploration, const GainParts& parts) {
  const bool byPlacement = !nearlyEqual(parts.placementGain, 1, kDisplayTolerance);
  const bool byProgram = !nearlyEqual(parts.programGain, 1, kDisplayTolerance);
  if (byPlacement && byProgram) {
    return findingTr("%1 %2, %3 %4")
        .arg(factorText(parts.placementGain), placementReason(exploration, parts), factorText(parts.programGain),
             programReason(exploration, parts));
  }
  return byProgram ? programReason(exploration, parts) : placementReason(exploration, parts);
}

}  // namespace

QString findingOf(const Exploration& exploration, const GainParts& parts, bool alone) {
  if (exploration.placements.empty()) return {};
  const bool known = exploration.defaultPlacement >= 0;
  const QString single = singleName(exploration.workspace);
  const QString reference = known ? findingTr("the default of JAX and PyTorch with one %1").arg(single)
                                  : findingTr("one %1 on the same placement").arg(single);
  const QString best =
      alone ? findingTr("For %1 alone, the best program").arg(reducedAxesText(exploration.workspace.axes))
            : findingTr("The best plan");
  const QString seconds = secondsText(parts.bestSeconds);
  if (!definitelyLess(parts.bestSeconds, parts.referenceSeconds, kDisplayTolerance)) {
    return findingTr("%1 takes %2; %3 is just as fast.").arg(best, seconds, reference);
  }
  const QString finding = findingTr("%1 takes %2, %3 faster than %4 (%5): %6.")
                              .arg(best, seconds, factorText(parts.gain()), reference,
                                   secondsText(parts.referenceSeconds), reasonsOf(exploration, parts));
  const OpenChoices open = openChoices(exploration);
  const QString leftOut = bandwidthAloneText(exploration.workspace.options.cost);
  const QString limits = leftOut.isEmpty() ? QString() : ' ' + leftOut;
  if (!(known ? open.atDefault : open.single)) return finding + limits;
  return finding + findingTr(" The intervals of the two times overlap: either may be faster.") + limits;
}

}  // namespace p2::views
