// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/workspace.h"

namespace p2::views {

/// The document with a workload and its axes, in place of those it had. Axes of the same names stay reduced over; if
/// there are none, the axes of the entry that reduces the most bytes are. The workload is checked.
[[nodiscard]] Workspace withWorkload(Workspace workspace, Workload workload);

}  // namespace p2::views
