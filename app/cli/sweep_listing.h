// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/assumed_default.h"
#include "explore/sweep.h"
#include "explore/sweep_map.h"
#include "text/document.h"

namespace p2::cli {

/// The best program at every value, and where another becomes the best. The sweep must outlive the answer.
[[nodiscard]] Document sweepAnswer(const Sweep& sweep, const std::vector<AssumedDefault>& assumed);
/// The best program of every placement at every value. The map must outlive the answer.
[[nodiscard]] Document sweepMapAnswer(const SweepMap& map, const std::vector<AssumedDefault>& assumed);

}  // namespace p2::cli
