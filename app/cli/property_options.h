// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>

#include "base/property.h"

namespace p2::cli {

/// An option for every property, named after its key and with its help, choices and default: --kv-heads for kv_heads.
/// `given` is called with the property and the text as typed. The properties must live as long as the command.
template <class Part>
void addPropertyOptions(CLI::App& command, std::span<const Property<Part>> properties,
                        const std::function<void(const Property<Part>&, const std::string&)>& given) {
  for (const Property<Part>& property : properties) {
    command.add_option_function<std::string>(
        optionOf(property.info), [given, &property](const std::string& text) { given(property, text); },
        optionHelp(property));
  }
}

}  // namespace p2::cli
