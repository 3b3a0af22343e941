// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2 {

/// One size that nccl-tests measured.
struct NcclTest {
  double bytes = 0;        ///< of the working vector, as nccl-tests counts it
  double seconds = 0;      ///< the faster of out of place and in place
  std::int64_t wrong = 0;  ///< elements, 0 when it did not check
  friend bool operator==(const NcclTest&, const NcclTest&) = default;
};

/// The output of one nccl-tests program.
struct NcclTests {
  std::string collective;  ///< "AllReduce": ours, one of the five
  int ranks = 0;           ///< 0 when the output does not say
  std::vector<NcclTest> sizes;
  friend bool operator==(const NcclTests&, const NcclTests&) = default;
};

/// Reads what nccl-tests writes, its table or its JSON (-J). `name` helps where the table does not say which program
/// wrote it: a file's name, as in all_reduce_perf.txt. Errors: neither of the two, a collective we do not have, no row
/// with a time.
[[nodiscard]] Result<NcclTests> ncclTestsFrom(std::string_view text, std::string_view name);

}  // namespace p2
