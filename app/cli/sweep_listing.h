// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "explore/sweep.h"

namespace p2::cli {

enum class SweepFormat { Text, Json, Csv };

void writeSweep(std::ostream& out, const Sweep& sweep, SweepFormat format);

}  // namespace p2::cli
