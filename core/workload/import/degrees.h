// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "workload/import/entry_tally.h"

namespace p2::inline workload {

/// The degrees of parallelism in lists of AICB and SimAI.
struct Degrees {
  std::int64_t tensor = 1;
  std::int64_t data = 1;
  std::int64_t pipeline = 1;
  std::int64_t expert = 1;
  std::int64_t devices = 0;  ///< in all; 0 where it is not told
};

/// Their groups as AICB names them, numbered as Megatron does: tensor, expert, data, pipeline from the innermost.
/// Experts take a part of the data ranks, so the data axis comes as "expert" and "expert-data" where there are experts.
///
/// With `findData` the data degree is the devices divided by the others. Errors: degrees that do not multiply to the
/// devices, with the one that would; experts that do not divide the data ranks.
[[nodiscard]] Result<NamedGroups> groupsOf(Degrees degrees, bool findData);

}  // namespace p2::inline workload
