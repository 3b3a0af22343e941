// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/importers.h"
#include "system/valid_system.h"
#include "text/argument.h"
#include "text/text_file.h"
#include "workspace/presets.h"
#include "workspace/workspace.h"

namespace p2::inline workspace {
namespace {

Result<System> systemFromText(const std::string& text) {
  if (!isImportable(text)) return systemFromJson(text);
  P2_TRY_ASSIGN(auto imported, importTopology(text));
  return std::move(imported.system);
}

}  // namespace

Result<System> systemFromArgument(const std::string& argument) {
  auto described = parseSystem(argument);
  if (const ArgumentText file(argument); !described.ok() && (file.isPath() || file.exists())) {
    P2_TRY_ASSIGN(const auto text, readTextFile(argument));
    P2_TRY_ASSIGN(const auto system, systemFromText(text).within(argument));
    if (auto valid = validated(system); !valid.ok()) return std::move(valid).within(argument).error();
    return system;
  }
  P2_TRY_ASSIGN(const auto system, std::move(described));
  if (auto valid = validated(system); !valid.ok()) return valid.error();
  return system;
}

}  // namespace p2::inline workspace
