// SPDX-License-Identifier: GPL-3.0-or-later
// A planned training step as text, in the words of all pages.
#pragma once

#include <QString>
#include <vector>

#include "training/planner.h"

namespace p2::views {

/// Factors of an axis of a placement above and inside a node.
struct AxisSpread {
  std::int64_t across = 1;
  std::int64_t inside = 1;
};
[[nodiscard]] AxisSpread spreadOf(const PlannedConfiguration& planned, const System& system, std::size_t axis);

/// "tp 8 sp · pp 4×5 · dp 16 · ZeRO 1": all degrees above 1.
[[nodiscard]] QString degreesText(const TrainingConfiguration& configuration);
/// "1 of 32, selective recomputation": microbatch, number of microbatches, recomputation and an unusual schedule.
[[nodiscard]] QString batchText(const TrainingConfiguration& configuration);
/// "data across nodes 16 · tensor inside a node 8".
[[nodiscard]] QString placementText(const PlannedConfiguration& planned, const System& system);
/// The axes of a placement in words, a line each: "expert-data: devices with copies of the same experts, …".
[[nodiscard]] QString explainAxes(const PlannedConfiguration& planned);
/// "31.2 s (27.0–36.1)".
[[nodiscard]] QString intervalText(const StepEstimate& estimate);
/// "46 %".
[[nodiscard]] QString shareText(double share);
/// "4,812".
[[nodiscard]] QString countText(std::int64_t count);
[[nodiscard]] QString memoryText(double bytes);
/// "71.9 GB of 74.0 GB usable memory": need of a device, as all pages write it. The reserve cannot be used.
[[nodiscard]] QString memoryNeedText(double need, double reserve, double memory);

/// A part of the time of a step, as all bars and lists show it.
struct TimePart {
  enum class Look { Computation, Category, Waiting };
  QString name;   ///< "computation", "tp", "bubble"
  QString about;  ///< one sentence
  double seconds = 0;
  Look look = Look::Computation;
  int category = 0;
};
/// Parts that take time, in the order of the bars; they sum to the step.
[[nodiscard]] std::vector<TimePart> timePartsOf(const StepEstimate& estimate);
/// "computation 25.8 s, tp 2.1 s, bubble 1.4 s".
[[nodiscard]] QString timePartsText(const StepEstimate& estimate);

}  // namespace p2::views
