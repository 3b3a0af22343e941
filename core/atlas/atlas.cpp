// SPDX-License-Identifier: GPL-3.0-or-later
#include "atlas/atlas.h"

#include <cassert>

#include "atlas/detail/atlas_files.h"
#include "text/json_document.h"

namespace p2::inline atlas {
namespace {

/// Beginnings of tables' names, and the machine that each stands for.
const Json& machines() {
  static const Json kMachines = [] {
    auto json = parseJson(atlasMachinesFile());
    assert(json.ok());
    return std::move(json).value();
  }();
  return kMachines;
}

}  // namespace

const std::vector<AtlasTable>& atlasTables() {
  static const std::vector<AtlasTable> kTables = [] {
    auto tables = atlasFrom(atlasTablesFile(), atlasRowsFile());
    assert(tables.ok());
    return std::move(tables).value();
  }();
  return kTables;
}

std::string AtlasTable::machine() const {
  std::string longest;
  std::string found = name;
  for (const auto& [begin, machine] : machines().items()) {
    if (begin.size() <= longest.size() || !name.starts_with(begin)) continue;
    longest = begin;
    found = machine.get<std::string>();
  }
  return found;
}

}  // namespace p2::inline atlas
