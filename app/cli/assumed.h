// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/request.h"
#include "base/assumed_default.h"
#include "step/step_ranking.h"
#include "text/document.h"

namespace p2::cli {

/// Defaults of a request about programs that can change the best one: options that were not typed.
[[nodiscard]] std::vector<AssumedDefault> assumedBy(const Request& request, const ExploreOptions& options);

/// Defaults of a ranking by a training step, on top of assumedBy(): its overlap with computation.
[[nodiscard]] std::vector<AssumedDefault> assumedBy(const StepOptions& typed, const StepQuestion& answered);

/// "assumed: programs of at most 5 steps (--limit); …"; empty for none.
[[nodiscard]] std::string assumedLine(const std::vector<std::string>& sentences);
/// As above, as a line of an answer; empty for none.
void addAssumedLine(Document& document, const std::vector<std::string>& sentences);
/// The field "assumed", and its line.
void addAssumed(Document& document, const std::vector<std::string>& sentences);

}  // namespace p2::cli
