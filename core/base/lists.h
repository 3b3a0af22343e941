// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace p2::inline base {

inline constexpr std::string_view kBlanks = " \t\r\n";

[[nodiscard]] constexpr bool isBlank(char c) { return kBlanks.find(c) != std::string_view::npos; }

/// The parts of a list with commas, without blanks around them. "a, b,,c" has four, "" one.
[[nodiscard]] std::vector<std::string> commaParts(std::string_view text);

/// The words between blanks; '=' is a word of its own: "data = 8" as "data=8".
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view text);

/// Names that have no blanks in them, listed with commas, blanks or both: "a,b", "a b", "a, b".
[[nodiscard]] std::vector<std::string> listedNames(std::string_view text);

namespace detail {
template <class Value>
void append(std::string& all, const Value& value) {
  if constexpr (std::is_integral_v<Value>) {
    all += std::to_string(value);
  } else {
    all += value;
  }
}
}  // namespace detail

/// The parts with a text between them, and another before the last: `joined(axes, ", ", &Axis::name, " and ")` is
/// "data, model and shards". `text` gives the text or the whole number of a part.
template <class Parts, class Text = std::identity>
[[nodiscard]] std::string joined(const Parts& parts, std::string_view between = ", ", Text text = {},
                                 std::string_view last = {}) {
  std::string all;
  const auto end = std::end(parts);
  for (auto part = std::begin(parts); part != end; ++part) {
    if (part != std::begin(parts)) all += last.empty() || std::next(part) != end ? between : last;
    detail::append(all, std::invoke(text, *part));
  }
  return all;
}
/// "a, b and c".
template <class Parts>
[[nodiscard]] std::string andList(const Parts& parts) {
  return joined(parts, ", ", {}, " and ");
}
/// "a, b or c".
template <class Parts>
[[nodiscard]] std::string orList(const Parts& parts) {
  return joined(parts, ", ", {}, " or ");
}

}  // namespace p2::inline base
