// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/exporters.
#pragma once

#include <string_view>

namespace p2::inline exporters {

/// The script of resources/torchrun up to its jobs: documentation, plan, schedule, execution, measurement.
[[nodiscard]] std::string_view torchrunParts();
/// The part after the jobs: command line and main().
[[nodiscard]] std::string_view torchrunMain();

}  // namespace p2::inline exporters
