// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace p2 {

/// One size that nccl-tests measured.
struct NcclTest {
  Bytes bytes;             ///< of the working vector, as nccl-tests counts it
  double seconds = 0;      ///< the faster of out of place and in place
  std::int64_t wrong = 0;  ///< elements, 0 when it did not check; at most 2^63 − 1
  friend bool operator==(const NcclTest&, const NcclTest&) = default;
};

/// The output of one nccl-tests program.
struct NcclTests {
  std::string collective;  ///< "AllReduce": ours, one of the five; empty for one that is not, or that nothing tells
  int ranks = 0;           ///< 0 when the output does not say
  std::vector<NcclTest> sizes;
  std::string program = {};    ///< "alltoall_perf", where the output names it
  std::string algorithm = {};  ///< what NCCL_ALGO was set to: "Ring"; empty where the output does not say
  std::string protocol = {};   ///< what NCCL_PROTO was set to: "LL128"; likewise
  std::size_t silent = 0;      ///< rows without a time
  friend bool operator==(const NcclTests&, const NcclTests&) = default;
};

/// Reads all that nccl-tests and rccl-tests write, their tables or their JSON (-J), as people paste it: several
/// programs one after the other, with the command lines, the log of NCCL and the marks of mpirun before the lines. A
/// collective that is not named is told by the columns of operation and root and by how the two bandwidths differ;
/// `name` helps, a file's name as in all_reduce_perf.txt. Nothing when there is no row with a time.
[[nodiscard]] std::vector<NcclTests> ncclTestsIn(std::string_view text, std::string_view name);

/// The only one of these. Errors: none, several, a collective we do not have.
[[nodiscard]] Result<NcclTests> ncclTestsFrom(std::string_view text, std::string_view name);

}  // namespace p2
