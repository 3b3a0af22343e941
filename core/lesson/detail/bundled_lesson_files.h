// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/lesson: the files that the build compiles in.
#pragma once

#include "lesson/bundled_lessons.h"

namespace p2::inline lesson {

[[nodiscard]] std::span<const BundledFile> lessonFiles();
[[nodiscard]] std::span<const BundledFile> tableFiles();

}  // namespace p2::inline lesson
