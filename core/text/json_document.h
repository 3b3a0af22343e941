// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/text: nlohmann::json does not leave this room.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace p2 {

/// Keeps keys in the order in which they were written.
using Json = nlohmann::ordered_json;

/// Deepest nesting and most keys in one object that are read; ours need 6 and a dozen.
inline constexpr std::size_t kMostDepth = 64;
inline constexpr std::size_t kMostKeys = 1000;

/// Parses a text. Errors: empty, not JSON (line and column), numbers beyond a double, nested too deep, a key twice.
[[nodiscard]] Result<Json> parseJson(std::string_view text);

/// Two-space indentation; what is short or a list of plain values stays on one line.
[[nodiscard]] std::string jsonText(const Json& json);

/// `known` written over `source`: keys only the source has are kept at every depth, keys that are null in `known` are
/// removed. List items correspond by "name", else by position while the list keeps its length.
[[nodiscard]] Json overlaid(const Json& source, const Json& known);

/// A number as people write it: whole when it is.
[[nodiscard]] Json jsonNumber(double value);

}  // namespace p2
