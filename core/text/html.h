// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace p2::inline text {

/// Text as content or attribute of HTML and SVG elements: <, >, & and " escaped. O(its length).
[[nodiscard]] std::string htmlText(std::string_view text);

}  // namespace p2::inline text
