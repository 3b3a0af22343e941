// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/machine_comparison.h"
#include "text/document.h"

namespace p2::cli {

/// The answer of `p2 compare`.
struct ComparisonAnswer {
  std::string a;  ///< machines as typed
  std::string b;
  std::vector<std::string> degraded = {};  ///< states of B
  std::optional<StepComparison> step = {};
  std::optional<PlacementComparison> placements = {};
  std::string placementsProblem = {};  ///< why the placements of a document cannot be compared
};

/// The answer must outlive the document.
[[nodiscard]] Document comparisonDocument(const ComparisonAnswer& answer);

}  // namespace p2::cli
