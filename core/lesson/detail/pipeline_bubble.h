// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "lesson/lesson.h"

namespace p2::inline lesson {

/// "1F1B", "interleaved 1F1B", "ZB-H1": a schedule as papers call it.
[[nodiscard]] std::string_view pipelineTitle(ScheduleKind schedule, int chunks);

/// Seconds of a step in which each stage waits, as published, for equal stages and enough microbatches, without the
/// time of messages. With p stages, F, B and W seconds of a forward pass and of the gradients of inputs and weights:
/// GPipe and 1F1B (p − 1)(F + B + W), with v chunks a v-th of it (Narayanan et al., SC 2021, §2.2); ZB-H1
/// (p − 1)(F + B − W), ZB-H2 (p − 1)(F + B − 2W) (Qi et al., arXiv 2401.10241, table 2), not below 0; ZB-V 0 where
/// F = B = W (arXiv 2405.15362); DualPipe (p/2 − 1)(F + 2B − W), which is its (PP/2 − 1)(F&B + B − 3W) where forward
/// and backward passes do not overlap and B there includes W (arXiv 2412.19437, table 2). None where nothing is
/// published.
[[nodiscard]] std::optional<double> publishedBubble(const PipelineScene& scene);

}  // namespace p2::inline lesson
