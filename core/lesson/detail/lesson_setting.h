// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/lesson.
#pragma once

#include "text/json_document.h"
#include "workspace/workspace.h"

namespace p2::inline lesson {

/// The workspace that a page is about: the lesson's system, axes, reduce, options and matrix, with those that the page
/// has itself in their place. A system may be a text as on the command line; a page with another system or other axes
/// does not have the lesson's matrix. Errors name the JSON pointer within the lesson.
[[nodiscard]] Result<Workspace> settingOf(const Json& lesson, const Json& page, const std::string& pagePointer);

}  // namespace p2::inline lesson
