// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/lesson.
#pragma once

#include <initializer_list>

#include "lesson/detail/lesson.h"
#include "text/json_value.h"

namespace p2::inline lesson {

/// The problem of an object with an unknown key, which is usually a typing error.
void refuseOtherKeys(const JsonValue& in, std::initializer_list<std::string_view> known);

/// The "task" object of a page.
[[nodiscard]] LessonTask readTask(const JsonValue& in);

}  // namespace p2::inline lesson
