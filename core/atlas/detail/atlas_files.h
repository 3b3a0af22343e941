// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/atlas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "atlas/atlas.h"

namespace p2::inline atlas {

/// resources/atlas/tables.csv, rows.csv and machines.json.
[[nodiscard]] std::string_view atlasTablesFile();
[[nodiscard]] std::string_view atlasRowsFile();
[[nodiscard]] std::string_view atlasMachinesFile();

/// The tables of two such files. Errors name the line: a column that is missing or no number, a row of no table.
[[nodiscard]] Result<std::vector<AtlasTable>> atlasFrom(std::string_view tables, std::string_view rows);

}  // namespace p2::inline atlas
