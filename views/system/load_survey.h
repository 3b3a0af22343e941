// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "explore/explore.h"
#include "views/system/drawing_painter.h"

namespace p2::views {

/// Largest number of devices whose links are surveyed: every group of every step is routed flow by flow.
inline constexpr std::int64_t kMostSurveyedDevices = std::int64_t{1} << 13;

/// The program, or the step of it, whose loads are wanted.
struct LoadQuestion {
  std::shared_ptr<const Exploration> exploration;
  std::size_t placement = 0;
  Program program;
  StepId step;  ///< none for the whole program
  friend bool operator==(const LoadQuestion&, const LoadQuestion&) = default;
};

/// Loads of every link in one run.
struct LoadSurvey {
  ShownLoads loads;        ///< loads of the busy links
  double mostSeconds = 0;  ///< seconds of the busiest
};

/// Errors: too many devices, cancelled. O(flows · route length + links).
[[nodiscard]] Result<LoadSurvey> surveyLoads(const LoadQuestion& question, const std::stop_token& stop = {},
                                             const Progress& progress = {});

}  // namespace p2::views
