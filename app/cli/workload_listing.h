// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "workload/sources.h"

namespace p2::cli {

/// A workload with what was understood, assumed and ignored. Long lists are shown collapsed() as text, and whole in
/// JSON.
void writeWorkloadText(std::ostream& out, const WorkloadSource& source);
void writeWorkloadJson(std::ostream& out, const WorkloadSource& source);
/// The workloads that come with the program.
[[nodiscard]] Result<void> writeBundledWorkloads(std::ostream& out, bool json);

}  // namespace p2::cli
