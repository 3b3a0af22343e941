// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace p2 {

/// Reads a whole file of at most 64 MiB. Errors: missing, a directory, no permission, empty, too large.
[[nodiscard]] Result<std::string> readTextFile(const std::string& path);
/// Writes beside the file and renames over it, so that a crash or a full disk never costs the old content.
[[nodiscard]] Result<void> writeTextFile(const std::string& path, std::string_view text);

}  // namespace p2
