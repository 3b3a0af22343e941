// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "timeline/step_timeline.h"

namespace p2::inline timeline {

double MemoryCurve::totalAt(const Point& point) const {
  return peak.parameters + peak.gradients + peak.optimizer + peak.buffers + point.activations;
}

MemoryCurve memoryOverTime(const PlayedPipeline& played, const TrainingMemory& peak, double seconds) {
  MemoryCurve curve;
  curve.peak = peak;
  curve.seconds = seconds;
  const auto& passes = played.stages[static_cast<std::size_t>(peak.stage)];
  const bool splits = std::any_of(passes.begin(), passes.end(),
                                  [](const PlayedPass& pass) { return pass.kind == PlayedPass::Kind::Weights; });
  const auto last = splits ? PlayedPass::Kind::Weights : PlayedPass::Kind::Backward;
  // Passes that are let go come before those that begin at the same moment.
  std::vector<std::pair<double, int>> changes;
  for (const PlayedPass& pass : passes) {
    if (pass.kind == PlayedPass::Kind::Forward) changes.emplace_back(pass.start, 1);
    if (pass.kind == last) changes.emplace_back(pass.start + pass.seconds, -1);
  }
  std::sort(changes.begin(), changes.end());
  int most = 1;
  int held = 0;
  for (const auto& [time, change] : changes) most = std::max(most, held += change);
  held = 0;
  for (const auto& [time, change] : changes) {
    held += change;
    const MemoryCurve::Point point{time, peak.activations * held / most};
    const bool isSame = !curve.points.empty() && curve.points.back().time == time;
    if (isSame)
      curve.points.back() = point;
    else
      curve.points.push_back(point);
  }
  return curve;
}

}  // namespace p2::inline timeline
