// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/workspace.h"

namespace p2::views {

/// Whether the communication reduces.
[[nodiscard]] bool isReduction(CommunicationKind kind);
/// The axes of a workload to replace the given ones. Ticks of axes that stay are kept. If no axis is ticked then, the
/// axes of the entry that reduces the most bytes (or else moves the most) are.
[[nodiscard]] std::vector<Axis> axesTakenFrom(const Workload& workload, const std::vector<Axis>& before);
/// The document with a workload and its axes, in place of those it had, see axesTakenFrom(). The workload is checked.
[[nodiscard]] Workspace withWorkload(Workspace workspace, Workload workload);

}  // namespace p2::views
