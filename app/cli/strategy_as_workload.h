// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "base/result.h"
#include "workload/sources.h"

namespace p2::cli {

/// What a strategy communicates, to the file at `path` or else to `out`. What was assumed and left out is said beside,
/// on stderr.
[[nodiscard]] Result<void> writeAsWorkload(const WorkloadSource& source, const std::optional<std::string>& path,
                                           std::ostream& out);

}  // namespace p2::cli
