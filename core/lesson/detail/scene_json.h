// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/lesson.
#pragma once

#include "lesson/lesson.h"
#include "text/json_value.h"

namespace p2::inline lesson {

/// The value of "literal", "pipeline" and "training".
[[nodiscard]] LiteralScene readLiteralScene(const JsonValue& in);
[[nodiscard]] PipelineScene readPipelineScene(const JsonValue& in);
[[nodiscard]] TrainingScene readTrainingScene(const JsonValue& in);

/// Most stages, microbatches and virtual stages of a pipeline that a page can show.
inline constexpr int kMostSceneStages = 16;
inline constexpr int kMostSceneMicrobatches = 64;
inline constexpr int kMostSceneChunks = 8;

}  // namespace p2::inline lesson
