// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>
#include <string>

#include "training_files/detail/argument_files.h"
#include "training_files/detail/file_format.h"

namespace p2::inline training_files {
namespace {

/// "megatron,bf16" for every line of the list.
const std::set<std::string, std::less<>>& listed() {
  static const std::set<std::string, std::less<>> kListed = [] {
    std::set<std::string, std::less<>> names;
    std::string_view rest = argumentNamesText();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      names.insert(settingKey(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
  }();
  return kListed;
}

}  // namespace

bool isArgumentName(std::string_view framework, std::string_view key) {
  const std::string line = settingKey(std::string(framework) + ",");
  std::string_view name = key;
  while (true) {
    if (listed().count(line + std::string(name)) > 0) return true;
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos) return false;
    name.remove_prefix(dot + 1);
  }
}

}  // namespace p2::inline training_files
