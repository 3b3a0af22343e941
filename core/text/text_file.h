// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace p2::inline text {

/// Reads a whole file of at most 64 MiB, withoutMark(). Errors: missing, a directory, no permission, empty, too large.
[[nodiscard]] Result<std::string> readTextFile(const std::string& path);
/// Whether the path is a pipe, such as a shell's `<(…)`, whose content can be read only once.
[[nodiscard]] bool isPipe(const std::string& path);
/// Writes a new file in the folder and renames it over the old one, so that a crash or full disk never costs the old
/// content; keeps owner, mode and symbolic links, also dangling ones. Pipes, devices, and files that cannot be replaced
/// (folder not writable, owner not kept) are written in place. Errors: no such folder, a directory, no permission, no
/// room, a pipe without a reader for two seconds.
[[nodiscard]] Result<void> writeTextFile(const std::string& path, std::string_view text);

}  // namespace p2::inline text
