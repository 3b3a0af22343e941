// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runs/run_record.h"

namespace p2::inline runs {

/// Runs as an exchange file: {"format": "p2-runs", "version": 1, "runs": [...]}, each with when (UTC, ISO 8601),
/// place and program, its plan, prediction and result.
[[nodiscard]] std::string runsToJson(const std::vector<RunRecord>& runs);

/// Reads them back; of each what runRecordFromJson() takes. Errors: no JSON, another format or a newer version, no list
/// of runs, or one that is no object (where).
[[nodiscard]] Result<std::vector<RunRecord>> runsFromJson(std::string_view text);

/// Whether a text is meant for runsFromJson(); it may still be faulty. O(length of its beginning).
[[nodiscard]] bool looksLikeRuns(std::string_view text);

}  // namespace p2::inline runs
