// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "lesson/lesson_facts.h"

namespace p2::inline lesson {

/// A typed number in the unit that is asked for: "2.15 GB", "280ms", "16 %" or "0.16", "1.68×", "12". Errors: no
/// number, no unit, another unit; the message shows one that would do.
[[nodiscard]] Result<double> numberFrom(std::string_view text, LessonFacts::Unit unit);

}  // namespace p2::inline lesson
