// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/explore.
#pragma once

#include <optional>

#include "explore/sweep.h"

namespace p2::inline explore {

/// The workspace at one value of a range; of Nodes nothing where no axes divide evenly. Errors: as sweep().
[[nodiscard]] Result<Workspace> workspaceAt(const Workspace& workspace, const SweepRange& range, double value);
/// The values of a range, rising. Errors: as sweep().
[[nodiscard]] Result<std::vector<double>> valuesOf(const Workspace& workspace, const SweepRange& range);
/// The number of nodes closest to the middle of two others for which the axes have whole sizes; none if there is
/// none.
[[nodiscard]] std::optional<double> nodesBetween(const Workspace& workspace, double low, double high);

}  // namespace p2::inline explore
