// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/property.h"

namespace p2::cli {

// An option is declared once: its name, the placeholder of its value, its help. p2 COMMAND --help and p2(1) print that
// declaration; see man_page.h.

/// Adds an option or argument with a value, declared as "--batch SEQUENCES", "-o,--output FILE" or "SYSTEM". An empty
/// text counts as given for an optional `value`. `value` must outlive the command.
template <class Value>
CLI::Option* addValue(CLI::App& command, std::string_view declaration, Value& value, const std::string& help) {
  const std::size_t space = declaration.find(' ');
  const std::string name(declaration.substr(0, space));
  CLI::Option* option = nullptr;
  if constexpr (std::is_same_v<Value, std::optional<std::string>>) {
    option = command.add_option_function<std::string>(
        name, [&value](const std::string& text) { value = text; }, help);
  } else {
    option = command.add_option(name, value, help);
  }
  return option->type_name(space == std::string_view::npos ? "" : std::string(declaration.substr(space + 1)));
}

/// "BANDWIDTH": the placeholder of a described field's value is its unit, or the last word of its key.
[[nodiscard]] std::string placeholderOf(const PropertyInfo& info);

}  // namespace p2::cli
