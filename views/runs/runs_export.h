// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "views/runs/run_record_row.h"

namespace p2::views {

/// One line per run; seconds and bytes as plain numbers.
[[nodiscard]] QString runsToCsv(const std::vector<RunRow>& rows);

}  // namespace p2::views
