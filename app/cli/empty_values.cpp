// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/empty_values.h"

#include <CLI/CLI.hpp>
#include <string_view>

namespace p2::cli {
namespace {

const CLI::App* subcommandOf(const CLI::App& app, std::string_view name) {
  const auto found = app.get_subcommands([&](const CLI::App* each) { return each->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

/// The subcommand's option, if the word is one that takes a value.
const CLI::Option* optionOf(const CLI::App& command, std::string_view word) {
  if (!word.starts_with('-') || word == "-" || word == "--") return nullptr;
  const CLI::Option* option = command.get_option_no_throw(std::string(word));
  return option != nullptr && option->get_expected_max() > 0 ? option : nullptr;
}

}  // namespace

std::string optionWithoutValue(const CLI::App& app, std::span<char* const> arguments) {
  const CLI::App* command = &app;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word(arguments[i]);
    if (word == "--") break;
    if (const CLI::App* next = subcommandOf(*command, word)) command = next;
    const std::string name(word.substr(0, word.size() - (word.ends_with('=') ? 1 : 0)));
    const CLI::Option* option = optionOf(*command, name);
    if (option == nullptr) continue;
    const bool emptyNext = i + 1 < arguments.size() && std::string_view(arguments[i + 1]).empty();
    if (word.ends_with('=') || emptyNext) return name;
    // The next argument is its value, even if it looks like an option; an optional value may be absent.
    if (option->get_expected_min() > 0) ++i;
  }
  return {};
}

}  // namespace p2::cli
