// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace p2::inline remote {

/// One size of an OSU micro-benchmark.
struct OsuTest {
  Bytes bytes;         ///< as the benchmark counts it
  double seconds = 0;  ///< the mean over all ranks
};

/// The output of one of the OSU micro-benchmarks.
struct OsuTests {
  std::string title;       ///< "OSU MPI Allreduce Latency Test v7.3"
  std::string collective;  ///< ours; empty for a benchmark that is none of them
  bool perRank = false;    ///< whether the bytes are one rank's share of the working vector
  int ranks = 0;           ///< of mpirun's or srun's command line before it; 0 when there is none
  std::vector<OsuTest> sizes;
};

/// Every benchmark in a pasted text; empty if there is none.
[[nodiscard]] std::vector<OsuTests> osuTestsIn(std::string_view text);

}  // namespace p2::inline remote
