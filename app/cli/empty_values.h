// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
}

namespace p2::cli {

/// The first option of a command line that is given an empty value, "--target ''" or "--target=", as scripts write for
/// a variable that is not set; empty where there is none. `arguments` are those behind the program's name. The parser
/// would take the first for a value and, for the second, the argument that follows.
[[nodiscard]] std::string optionWithoutValue(const CLI::App& app, std::span<char* const> arguments);

}  // namespace p2::cli
