// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/document.h"
#include "whatif/what_if.h"

namespace p2::cli {

/// The answer of `p2 what-if`.
struct WhatIfAnswer {
  std::string model;
  std::string system;
  TrainingQuestion question;
  PlannedConfiguration before;
  std::vector<WhatIfPoint> points;
  bool findsBest = true;
  RunningCost cost;                ///< one device's, today
  std::optional<double> tokens;    ///< tokens of the whole training
  std::optional<double> deadline;  ///< seconds
  std::vector<std::string> notes;  ///< missing prices
  std::vector<std::string> assumed;
};

/// The answer must outlive the document.
[[nodiscard]] Document whatIfDocument(const WhatIfAnswer& answer);

}  // namespace p2::cli
