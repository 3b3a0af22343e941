// SPDX-License-Identifier: GPL-3.0-or-later
// For the rooms that write or read files; nlohmann::json goes no further.
#pragma once

#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"

namespace p2::inline text {

/// Keeps keys in the order in which they were written.
using Json = nlohmann::ordered_json;

/// The tree of a text. Errors as JsonStream.
[[nodiscard]] Result<Json> parseJson(std::string_view text, std::stop_token stop = {});

/// Two-space indentation; short values and lists of plain values are on one line.
[[nodiscard]] std::string jsonText(const Json& json);
/// Everything on one line, without blanks, and a newline.
[[nodiscard]] std::string jsonLine(const Json& json);
/// A value that is neither list nor object, as jsonText() has it.
[[nodiscard]] std::string scalarText(const Json& json);

/// `known` written over `source`: keys that only the source has are kept at every depth, keys that are null in `known`
/// are removed. List items correspond by "name", items of one name in order, otherwise by position while the list keeps
/// its length.
[[nodiscard]] Json overlaid(const Json& source, const Json& known);

/// A number without a fraction if it is whole.
[[nodiscard]] Json jsonNumber(double value);

}  // namespace p2::inline text
