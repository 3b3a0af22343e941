// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace p2::fuzz {

/// A JSON text with one to three of its values changed, exchanged, repeated, moved or left out, some for values of
/// another one: damage behind the syntax, where bytes that change at random seldom come. Nothing where it is no JSON.
[[nodiscard]] std::optional<std::string> changedJson(std::string_view text, std::string_view other,
                                                     std::mt19937& random);

}  // namespace p2::fuzz
