// SPDX-License-Identifier: GPL-3.0-or-later
// For the rooms that read files of other programs.
#pragma once

#include "text/json_document.h"

namespace p2::inline text {

/// The tree of a JSON text that another program wrote, or that people edited: with comments, with a comma behind the
/// last item, with NaN and Infinity as Python writes them (null in the tree), with up to 30000 keys in an object; a key
/// that comes twice has its last value. Errors: over 64 MiB, over 64 levels, too many keys, no JSON (with its line).
/// O(length + keys²) for the keys of an object.
[[nodiscard]] Result<Json> parseForeignJson(std::string_view text);

}  // namespace p2::inline text
