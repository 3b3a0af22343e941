// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workload/import/entry_tally.h"

namespace p2::inline workload {

/// The rows of one pipeline stage of an AICB file, without set-up.
struct AicbStage {
  EntryTally tally;
  std::int64_t ranks = 0;  ///< of "[rank0 ~ rank127]"; 0 where it is not told
  std::int64_t steps = 0;  ///< ends of epochs that something came before
  bool embeds = false;     ///< has the vocabulary's embedding
};

/// An AICB file as it stands.
struct AicbRows {
  std::vector<AicbStage> stages;
  std::map<std::string, std::int64_t> sizes;    ///< of groups, the largest of all rows: set-up knows more than sends do
  std::map<std::string, std::int64_t> unsized;  ///< groups without a size so far, and their first line
  bool sized = false;                           ///< whether there is a column for sizes of groups
  std::map<std::string, std::int64_t> skipped;  ///< rows by kind: "set-up", "barrier", "of no bytes"
};

/// Errors name the line: no header, a row of other columns, a size that is no number; cancelled.
[[nodiscard]] Result<AicbRows> aicbRowsFrom(std::string_view text, const std::stop_token& stop);

}  // namespace p2::inline workload
