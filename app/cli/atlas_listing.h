// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "atlas/atlas.h"
#include "text/document.h"

namespace p2::cli {

/// The machines of the tables, one a line; as JSON or CSV the tables without their rows.
[[nodiscard]] Document atlasListAnswer(std::vector<const AtlasTable*> tables);

/// The rows of the tables, with the predictions of the nccl model and their sources.
[[nodiscard]] Document atlasTablesAnswer(std::vector<const AtlasTable*> tables);

}  // namespace p2::cli
