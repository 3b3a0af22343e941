// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace p2 {

/// Reads a whole file of at most 64 MiB, withoutMark(). Errors: missing, a directory, no permission, empty, too large.
[[nodiscard]] Result<std::string> readTextFile(const std::string& path);
/// Whether the path leads to a pipe, as `<(…)` of a shell does: what is in there can be read but once.
[[nodiscard]] bool isPipe(const std::string& path);
/// Writes a new file in the folder and renames it over the old one, so that a crash or a full disk never costs the old
/// content, and keeps owner, mode and symbolic links, also those that point to nothing yet. Written as they stand are
/// pipes, devices, and files that cannot be replaced because the folder cannot be written or their owner cannot be
/// kept. Errors: no such folder, a directory, no permission, no room, a pipe that nobody reads from within two seconds.
[[nodiscard]] Result<void> writeTextFile(const std::string& path, std::string_view text);

}  // namespace p2
