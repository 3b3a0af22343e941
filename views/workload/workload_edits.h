// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "step/step_ranking.h"
#include "workspace/workspace.h"

namespace p2::views {

/// The reduction of the document as a workload: one AllReduce over the ticked axes, of its bytes, as often as it runs.
/// Errors: no axis larger than 1 is ticked, sizes that no file could hold.
[[nodiscard]] Result<Workload> oneAllReduce(const Workspace& workspace);
/// The workload's axes in the place of the document's, see axesTakenFrom(). Errors: no workload, axes that do not
/// multiply to the devices.
[[nodiscard]] Result<std::vector<Axis>> axesOfWorkload(const Workspace& workspace);
/// Whether the workload is for the system's number of devices, and its axes are the document's.
[[nodiscard]] Result<void> checkWorkloadFit(const Workspace& workspace);
/// A workload for the document's system in the place of one for another number of devices.
struct WorkloadFix {
  QString label;  ///< text of its button
  QString toolTip;
  Workload workload;
};
/// How the document's workload can be made to fit its system: generated again where its training is known, else with
/// its data-parallel axis resized. None where it fits, or where the other axes do not divide the devices.
[[nodiscard]] std::optional<WorkloadFix> fixOf(const Workspace& workspace);
/// The step options of a workload, and a workload with given ones.
[[nodiscard]] StepOptions timingOf(const Workload& workload);
[[nodiscard]] Workload withTiming(Workload workload, const StepOptions& timing);

}  // namespace p2::views
