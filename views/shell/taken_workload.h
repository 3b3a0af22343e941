// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "workspace/workspace.h"

namespace p2::views {

/// Whether the communication reduces.
[[nodiscard]] bool isReduction(CommunicationKind kind);
/// The axes of a workload to replace the given ones. Ticks of axes that stay are kept. If no axis is ticked then, the
/// axes of the entry that reduces the most bytes (or else moves the most) are.
[[nodiscard]] std::vector<Axis> axesTakenFrom(const Workload& workload, const std::vector<Axis>& before);
/// These axes; those that stay keep the level that they stay inside, and whether sums are scattered over them.
[[nodiscard]] std::vector<Axis> axesOfSameKind(const Workload& workload, const std::vector<Axis>& before);
/// The document with a workload and its axes, in place of those it had, see axesTakenFrom(). The workload is checked.
[[nodiscard]] Workspace withWorkload(Workspace workspace, Workload workload);

/// Adapts the workload of a document to a change of the system alone, with its axes: data parallelism and microbatches
/// are derived from its training again, see generatedFor(). Answers the sentence that says so. Nothing happens, and the
/// sentence is empty, where a plan's workload follows the plan, where entries were changed by hand or imported, and
/// where the other degrees do not divide the devices. `origin`: the document from which to derive, `before` or an
/// earlier one whose steps are undone together with this.
[[nodiscard]] QString followCluster(const Workspace& origin, const Workspace& before, Workspace& next);

}  // namespace p2::views
