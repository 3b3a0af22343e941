// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/detail/pipeline_bubble.h"

#include <algorithm>

#include "base/near.h"

namespace p2::inline lesson {

std::string_view pipelineTitle(ScheduleKind schedule, int chunks) {
  switch (schedule) {
    case ScheduleKind::GPipe:
      return "GPipe";
    case ScheduleKind::OneF1B:
      return chunks > 1 ? "interleaved 1F1B" : "1F1B";
    case ScheduleKind::ZeroBubble1:
      return "ZB-H1";
    case ScheduleKind::ZeroBubble2:
      return "ZB-H2";
    case ScheduleKind::ZeroBubbleV:
      return "ZB-V";
    case ScheduleKind::DualPipe:
      return "DualPipe";
  }
  return {};
}

std::optional<double> publishedBubble(const PipelineScene& scene) {
  const double ahead = scene.stages - 1;
  const double forward = scene.forward;
  const double backward = scene.backward;
  const double weights = scene.weights;
  switch (scene.schedule) {
    case ScheduleKind::GPipe:
      return ahead * (forward + backward + weights);
    case ScheduleKind::OneF1B:
      return ahead * (forward + backward + weights) / scene.chunks;
    case ScheduleKind::ZeroBubble1:
      return std::max(0.0, ahead * (forward + backward - weights));
    case ScheduleKind::ZeroBubble2:
      return std::max(0.0, ahead * (forward + backward - 2 * weights));
    case ScheduleKind::ZeroBubbleV:
      if (!nearlyEqual(forward, backward) || !nearlyEqual(forward, weights)) return std::nullopt;
      return 0;
    case ScheduleKind::DualPipe:
      return std::max(0.0, (scene.stages / 2.0 - 1) * (forward + 2 * backward - weights));
  }
  return std::nullopt;
}

}  // namespace p2::inline lesson
