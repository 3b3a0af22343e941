// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "system/system.h"

namespace p2::inline system {

/// The system as an indented tree in the manner of lstopo, a repeated part drawn once with how often it stands there:
///
///     gcp-a100:4, 64 devices
///       data-centre network: switch of 4 nodes, 8.00 GB/s
///       node ×4
///         NVSwitch: switch of 16 gpus, 270 GB/s
///         gpu ×16
///
/// Ends with a newline.
[[nodiscard]] std::string drawnAsText(const System& system);

}  // namespace p2::inline system
