// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace p2::views {

/// "Page 2, question" of /pages/1/task/question: a place in a lesson's file by the labels of the lesson maker's fields.
[[nodiscard]] QString lessonPlaceText(const QString& pointer);

}  // namespace p2::views
