// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explore.h"

namespace p2 {

/// A chosen program, lowered and priced: what a runner needs, and what was expected of it.
struct Plan {
  Workspace workspace;  ///< with matrix and program set
  LoweredProgram lowered;
  double seconds = 0;
  std::vector<StepCost> steps;
  std::vector<std::string> links;  ///< name of each step's busiest link
  double allReduceSeconds = 0;
};

/// Most devices a plan is made for: it lists every group of every step.
inline constexpr std::int64_t kMostPlanDevices = std::int64_t{1} << 18;

/// Lowers and prices the workspace's chosen matrix and program. Errors as evaluateProgram(), or too many devices.
[[nodiscard]] Result<Plan> makePlan(const Workspace& workspace);

/// The plan file, {"format": "p2-plan", "version": 1, …}; schema in resources/schemas.
[[nodiscard]] std::string planToJson(const Plan& plan);
/// Reads a plan file back; unknown keys survive, a newer version is refused, errors name the JSON pointer.
[[nodiscard]] Result<Plan> planFromJson(std::string_view text, std::stop_token stop = {});

}  // namespace p2
