// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/text.
#pragma once

#include <stop_token>
#include <string_view>

#include "base/result.h"

namespace p2 {

/// Why a text that is not JSON is none, with line and column. Only for texts that could not be read: simdjson says that
/// a text is wrong, not where.
[[nodiscard]] Error jsonSyntaxError(std::string_view text, const std::stop_token& stop);

/// For what goes beyond JsonLimits::depth.
[[nodiscard]] Error tooDeepError();

/// "line 3, column 7" of a byte; both count from 1.
[[nodiscard]] std::string textPosition(std::string_view text, std::size_t byte);

}  // namespace p2
