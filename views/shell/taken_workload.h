// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/workspace.h"

namespace p2::views {

/// Whether what is sent is summed up on the way.
[[nodiscard]] bool isReduction(CommunicationKind kind);
/// The axes of a workload, to take the place of those before. Axes that were there already keep their ticks. If no axis
/// is ticked then, those of the entry that reduces the most bytes are, or, where none reduces, that moves the most.
[[nodiscard]] std::vector<Axis> axesTakenFrom(const Workload& workload, const std::vector<Axis>& before);
/// The document with a workload and its axes, in place of those it had, see axesTakenFrom(). The workload is checked.
[[nodiscard]] Workspace withWorkload(Workspace workspace, Workload workload);

}  // namespace p2::views
