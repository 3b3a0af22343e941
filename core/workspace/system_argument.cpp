// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "importers/importers.h"
#include "system/valid_system.h"
#include "text/text_file.h"
#include "workspace/presets.h"
#include "workspace/workspace.h"

namespace p2 {
namespace {

Result<System> systemFromText(const std::string& text) {
  if (!isImportable(text)) return systemFromJson(text);
  P2_TRY_ASSIGN(auto imported, importTopology(text));
  return std::move(imported.system);
}

/// Whether there is a '/' besides those of bandwidths, as in 270GB/s.
bool hasFolder(std::string_view argument) {
  for (std::size_t i = argument.find('/'); i != std::string_view::npos; i = argument.find('/', i + 1)) {
    const std::size_t word = argument.rfind(' ', i) + 1;  // 0 where there is no blank
    if (argument.substr(word, i - word).find('@') == std::string_view::npos || argument.substr(i + 1, 1) != "s") {
      return true;
    }
  }
  return false;
}

bool looksLikePath(const std::string& argument) {
  std::error_code ignored;
  return hasFolder(argument) || argument.ends_with(".json") || std::filesystem::exists(argument, ignored);
}

}  // namespace

Result<System> systemFromArgument(const std::string& argument) {
  auto described = parseSystem(argument);
  if (!described.ok() && looksLikePath(argument)) {
    P2_TRY_ASSIGN(const auto text, readTextFile(argument));
    P2_TRY_ASSIGN(const auto system, systemFromText(text).within(argument));
    P2_TRY_ASSIGN(const auto valid, validated(system).within(argument));
    return *valid;
  }
  P2_TRY_ASSIGN(const auto system, std::move(described));
  P2_TRY_ASSIGN(const auto valid, validated(system));
  return *valid;
}

}  // namespace p2
