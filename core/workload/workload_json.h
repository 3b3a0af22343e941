// SPDX-License-Identifier: GPL-3.0-or-later
// For the rooms that write or read files.
#pragma once

#include "text/json_value.h"
#include "workload/workload.h"

namespace p2::inline workload {

inline constexpr const char* kWorkloadFormat = "p2-workload";

/// Contents of a workload, without format and version; absent keys are null.
[[nodiscard]] Json workloadJson(const Workload& workload);
/// That, with or without a header, written over the text it was read from: entries correspond by name, the n-th of a
/// name to the n-th of it, and keep the keys that we do not know. Axes stay the list that they may have been.
[[nodiscard]] Json overlaidWorkload(const Json& source, const Json& known);
/// Reads it back, every value within its range by itself; checkWorkload() asks whether they fit together.
/// Workload::source is left empty.
[[nodiscard]] Workload readWorkload(const JsonValue& in);

/// "none", "compute", 0.5, {"seconds": 0.1}.
[[nodiscard]] Json overlapJson(const CommunicationOverlap& overlap);

}  // namespace p2::inline workload
