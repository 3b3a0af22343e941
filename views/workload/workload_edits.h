// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/step_ranking.h"
#include "workspace/workspace.h"

namespace p2::views {

/// The reduction of the document as a workload: one AllReduce over the ticked axes, of its bytes, as often as it runs.
/// Errors: no axis larger than 1 is ticked, sizes that no file could hold.
[[nodiscard]] Result<Workload> oneAllReduce(const Workspace& workspace);
/// The workload's axes in the place of the document's, see axesTakenFrom(). Errors: no workload, axes that do not
/// multiply to the devices.
[[nodiscard]] Result<std::vector<Axis>> axesOfWorkload(const Workspace& workspace);
/// The step options of a workload, and a workload with given ones.
[[nodiscard]] StepOptions timingOf(const Workload& workload);
[[nodiscard]] Workload withTiming(Workload workload, const StepOptions& timing);

}  // namespace p2::views
