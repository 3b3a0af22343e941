// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/text.
#pragma once

#include <string>

#include "base/result.h"

namespace p2::inline text {

/// The error of errno when reading or writing a file, with a remedy.
[[nodiscard]] Error fileFailure(const std::string& path, int code, bool reading);

}  // namespace p2::inline text
