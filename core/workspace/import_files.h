// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "importers/importers.h"

namespace p2::inline workspace {

/// A system from files that importTopology() reads, one for each different machine, or from one file of our own
/// (systemFromJson()). "-" is standard input. The links of an ASTRA-sim network whose topology is Custom come from the
/// file that it names. Errors have the file's name in front.
[[nodiscard]] Result<Imported> importFiles(const std::vector<std::string>& paths, const ImportOptions& options = {});

}  // namespace p2::inline workspace
