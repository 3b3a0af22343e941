// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/step_ranking.h"
#include "text/document.h"

namespace p2::cli {

/// The `most` best placements of a ranking, the entries on the best one, framework orders and break-evens. The ranking
/// must outlive the answer. `assumed`: sentences.
[[nodiscard]] Document stepAnswer(const StepRanking& ranking, std::size_t most,
                                  const std::vector<std::string>& assumed);

}  // namespace p2::cli
