// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/text.
#pragma once

#include <string>

#include "base/result.h"

namespace p2::inline text {

/// What errno says about reading or writing a file, and what to do about it.
[[nodiscard]] Error fileFailure(const std::string& path, int code, bool reading);

}  // namespace p2::inline text
