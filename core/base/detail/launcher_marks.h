// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/base: marks that launchers and log collectors write in front of lines.
#pragma once

#include <string_view>
#include <vector>

namespace p2::inline base {

/// The line after its leading marks, without blanks at its ends.
[[nodiscard]] std::string_view withoutMarks(std::string_view line);

/// Takes words off the beginnings of lines that nearly all lines share but for their digits: names of hosts, pods and
/// containers. O(length).
void dropSharedWords(std::vector<std::string_view>& lines);

}  // namespace p2::inline base
