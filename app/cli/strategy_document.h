// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy_answer/pipeline_answer.h"
#include "strategy_answer/strategy_answer.h"
#include "text/document.h"

namespace p2::cli {

/// Input of documentOf(); its parts must outlive the document.
struct StrategyListing {
  const StrategyAnswer& answer;
  const std::vector<StrategyNeed>& needs;          ///< the best strategy's
  const std::vector<StrategyBaseline>& baselines;  ///< empty: nothing is compared
  bool several = false;                            ///< the key "strategies", even with one
  bool folded = true;                              ///< as text, equally split layers are listed once
};
[[nodiscard]] Document documentOf(const StrategyListing& listing);

/// Input of documentOf() for p2 strategy --stages; its parts must outlive the document.
struct PipelineListing {
  const PipelineAnswer& answer;
  const std::vector<StrategyBaseline>& baselines;
  bool folded = true;
};
[[nodiscard]] Document documentOf(const PipelineListing& listing);

/// The bundled graphs and models.
[[nodiscard]] Document bundledGraphsDocument();

}  // namespace p2::cli
