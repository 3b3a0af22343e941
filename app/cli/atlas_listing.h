// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>
#include <vector>

#include "atlas/atlas.h"

namespace p2::cli {

enum class AtlasFormat { Text, Json, Csv };

/// The machines of the tables, one a line; as JSON or CSV the tables without their rows.
void writeAtlasList(std::ostream& out, const std::vector<const AtlasTable*>& tables, AtlasFormat format);

/// The rows of the tables, and where they come from.
void writeAtlasTables(std::ostream& out, const std::vector<const AtlasTable*>& tables, AtlasFormat format);

}  // namespace p2::cli
