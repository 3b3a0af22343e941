// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "remote/nccl_tests.h"

namespace p2::inline remote {

/// Operations of a running job as NCCL's or RCCL's Inspector logs them, one JSON object after the other: one table for
/// every collective, number of ranks and algorithm, with the median time of each size. Sizes are counted as nccl-tests
/// counts them, by algorithm bandwidth and time. Operations without a time are left out; empty where the text is no
/// such log. O(n log n).
[[nodiscard]] std::vector<NcclTests> inspectorOperationsIn(std::string_view text);

}  // namespace p2::inline remote
