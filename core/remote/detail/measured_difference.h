// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/remote: measurements of the same that differ.
#pragma once

#include <string>
#include <vector>

#include "remote/measured_files.h"
#include "remote/nccl_tests.h"

namespace p2::inline remote {

/// "AllGather over 2 ranks, and the second takes 7.1× as long: 25.8 ms and 190 ms for 1.07 GB", if the two tables
/// measure one collective on as many ranks with times that differ by more than noise; else empty. O(n log n).
[[nodiscard]] std::string differenceOf(const NcclTests& a, const NcclTests& b);

/// Adds to `more.used` what `more` measures and `before` measures too, with times that differ by more than noise.
void noteDifferences(const std::vector<MeasuredTime>& before, MeasuredFiles& more);

}  // namespace p2::inline remote
