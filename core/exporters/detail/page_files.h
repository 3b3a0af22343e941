// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace p2::inline exporters {

/// The page that plays, resources/page/run.html: "@TITLE@", "@PALETTE@" and "@DATA@" are replaced.
[[nodiscard]] std::string_view runPage();
/// resources/palette.json.
[[nodiscard]] std::string_view paletteFile();
/// Colours of contributors on paper, "#2761C0".
[[nodiscard]] std::array<std::string_view, 8> contributorInks();

}  // namespace p2::inline exporters
