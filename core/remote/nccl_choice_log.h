// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "cost/cost_options.h"
#include "system/system.h"

namespace p2::inline remote {

/// A choice of NCCL for a collective, as logged (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=TUNING or COLL).
struct LoggedChoice {
  std::string collective;  ///< "AllReduce"
  Bytes bytes;             ///< whole vector
  int ranks = 0;           ///< 0 where the log does not give the communicator
  std::string algorithm;   ///< "RING"
  std::string protocol;    ///< "LL128"
  int channels = 0;        ///< 0 where the log does not say
  std::int64_t times = 1;  ///< equal lines
  friend bool operator==(const LoggedChoice&, const LoggedChoice&) = default;
};

/// The choices in a log, equal ones once, in the order of their first line. Gathers and scatters are logged by a rank's
/// part; `bytes` is that times the ranks where these are known. O(length log choices).
[[nodiscard]] std::vector<LoggedChoice> ncclChoicesIn(std::string_view text);

/// A logged choice next to the one that the nccl model expects of the library.
struct ComparedChoice {
  LoggedChoice logged;
  std::string algorithm;  ///< expected, in the log's words
  std::string protocol;
  double seconds = 0;        ///< as expected
  double loggedSeconds = 0;  ///< with the logged algorithm; 0 where the model lacks it
  [[nodiscard]] bool agrees() const { return algorithm == logged.algorithm && protocol == logged.protocol; }
};

/// Prices every choice on the system's first devices, in the log's number of ranks or on all devices. Choices of more
/// ranks than devices, and of collectives that the model does not have, are left out. Errors: a system that is not
/// valid.
[[nodiscard]] Result<std::vector<ComparedChoice>> compareChoices(const std::vector<LoggedChoice>& choices,
                                                                 const System& system);

}  // namespace p2::inline remote
