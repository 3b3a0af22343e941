// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace p2::inline remote {

/// One size that nccl-tests measured.
struct NcclTest {
  Bytes bytes;             ///< size of the working vector, as nccl-tests counts it
  double seconds = 0;      ///< the faster of out of place and in place
  std::int64_t wrong = 0;  ///< elements, 0 when it did not check; at most 2^63 − 1
  friend bool operator==(const NcclTest&, const NcclTest&) = default;
};

/// The output of one nccl-tests program.
struct NcclTests {
  std::string collective;  ///< "AllReduce": ours, one of the five; empty for one that is not, or that nothing tells
  int ranks = 0;           ///< 0 when the output does not say
  std::vector<NcclTest> sizes;
  std::string program = {};                ///< "alltoall_perf", where the output names it
  std::string algorithm = {};              ///< what NCCL_ALGO was set to: "Ring"; empty where the output does not say
  std::string protocol = {};               ///< what NCCL_PROTO was set to: "LL128"; empty where the output does not say
  std::size_t silent = 0;                  ///< rows without a time
  int leastRanks = 0;                      ///< the fewest that all bandwidths allow; 0 when they do not say
  int mostRanks = 0;                       ///< the most that they allow
  std::vector<std::string> possible = {};  ///< collectives that the columns of a table without a name allow
  std::string doubt = {};                  ///< why a table with rows has no collective; empty where it has one
  friend bool operator==(const NcclTests&, const NcclTests&) = default;
};

/// Reads all that nccl-tests and rccl-tests write, their tables or their JSON (-J), as people paste it: several
/// programs one after the other, with command lines, the log of NCCL and the marks of launchers. A table is called
/// after the program before or the closing line behind it, or after `name`, a file's name as in all_reduce_perf.txt.
/// Its columns confirm or contradict that name: size against count, redop, root, bus against algorithm bandwidth. A
/// table that contradicts its name has no collective, and one without a name has that which alone fits its columns. The
/// number of ranks is the one that the bandwidths of all rows allow. Nothing when there is no row with a time.
/// O(length).
[[nodiscard]] std::vector<NcclTests> ncclTestsIn(std::string_view text, std::string_view name);

/// The only benchmark of a text. Errors: none, several, a collective we do not have.
[[nodiscard]] Result<NcclTests> ncclTestsFrom(std::string_view text, std::string_view name);

}  // namespace p2::inline remote
