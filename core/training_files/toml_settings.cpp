// SPDX-License-Identifier: GPL-3.0-or-later
#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

#include <sstream>

#include "base/lists.h"
#include "training_files/detail/setting.h"

namespace p2::inline training_files {
namespace {

std::string textOf(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* list = node.as_array()) {
    if (list->empty()) return std::string(kEmptyList);
    return joined(*list, ",",
                  [](const toml::node& each) { return (each.is_array() ? "[" + textOf(each) + "]" : textOf(each)); });
  }
  std::ostringstream written;
  written.imbue(std::locale::classic());
  if (const auto* whole = node.as_integer()) written << whole->get();
  if (const auto* number = node.as_floating_point()) written << number->get();
  return written.str();
}

void collect(const toml::table& table, const std::string& path, Settings& settings) {
  for (const auto& [name, node] : table) {
    const std::string key = path + settingKey(name.str());
    if (const auto* inner = node.as_table()) {
      collect(*inner, key + ".", settings);
    } else {
      settings.all.push_back({key, textOf(node), node.source().begin.line});
    }
  }
}

}  // namespace

Result<Settings> tomlSettings(std::string_view text) {
  if (text.size() > kMostSettingsBytes) return Error{"the file is longer than a configuration can be"};
  try {
    const toml::table table = toml::parse(text);
    Settings settings;
    collect(table, "", settings);
    return settings;
  } catch (const toml::parse_error& error) {
    return Error{"the text is not TOML: " + std::string(error.description()),
                 "line " + std::to_string(error.source().begin.line)};
  }
}

}  // namespace p2::inline training_files
