// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/workspace.h"

namespace p2::views {

/// Whether what it moves is added up on the way.
[[nodiscard]] bool isReduction(CommunicationKind kind);
/// The axes of a workload in the place of those there were: those keep their ticks that are there already, and if that
/// leaves none, the axes of the entry that reduces the most bytes get them, or moves the most if none reduces.
[[nodiscard]] std::vector<Axis> axesTakenFrom(const Workload& workload, const std::vector<Axis>& before);
/// The document with a workload and its axes, in place of those it had, see axesTakenFrom(). The workload is checked.
[[nodiscard]] Workspace withWorkload(Workspace workspace, Workload workload);

}  // namespace p2::views
