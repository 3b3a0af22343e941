// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of the document in the workload perspective.
#include <algorithm>

#include "views/shell/session.h"
#include "views/shell/taken_workload.h"
#include "views/workload/workload_edits.h"
#include "views/workload/workload_perspective.h"

namespace p2::views {

void WorkloadPerspective::useOneAllReduce() {
  Workspace next = *m_session.workspace();
  auto workload = oneAllReduce(next);
  if (!workload.ok()) return;
  next.workload = std::move(workload).value();
  m_session.edit(tr("Use one AllReduce as the workload"), std::move(next));
}

// By the row of the exploration where there is one, so that it is the choice that Placements makes.
void WorkloadPerspective::choose(int placement) {
  if (!m_shown || placement < 0) return;
  const ParallelismMatrix& matrix = m_shown->placements[std::size_t(placement)].matrix;
  const auto exploration = m_session.exploration();
  if (exploration && m_session.isCurrent()) {
    const auto& all = exploration->placements;
    const auto row = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.matrix == matrix; });
    if (row != all.end() && m_session.placement() == &*row && m_session.workspace()->matrix == matrix) return;
    if (row != all.end() && m_session.placement() != &*row) return m_session.select(int(row - all.begin()));
  }
  Workspace next = *m_session.workspace();
  if (next.matrix == matrix || !checkMatrix(next.system, next.axes, matrix).ok()) return;
  next.matrix = matrix;
  next.program.clear();
  m_session.edit(tr("Choose placement"), std::move(next), QStringLiteral("choose placement"));
  showChosen();
}

void WorkloadPerspective::activate(int placement) {
  choose(placement);
  emit perspectiveWanted(kPlacementsPage);
}

void WorkloadPerspective::useWorkloadAxes() {
  Workspace next = *m_session.workspace();
  auto axes = axesOfWorkload(next);
  if (!axes.ok()) return;
  next.axes = std::move(axes).value();
  m_session.edit(tr("Use the workload's axes"), std::move(next));
}

void WorkloadPerspective::fixWorkload() {
  Workspace next = *m_session.workspace();
  auto fix = fixOf(next);
  if (!fix) return;
  next.axes = axesOfSameKind(fix->workload, next.axes);
  next.workload = std::move(fix->workload);
  m_session.edit(tr("Fit the workload to the cluster"), std::move(next));
}

}  // namespace p2::views
