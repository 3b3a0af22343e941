// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "system/system.h"

namespace p2 {

/// What people mean by a level, by the name they give it: "server", "Nodes" and "host" are machines, "cpu" and "socket"
/// parts of one that hold devices, "gpu" and "tpu" devices. A number behind it does not matter: "bridge2".
enum class LevelSort { Machine, Socket, Accelerator, Other };

[[nodiscard]] LevelSort levelSortOf(std::string_view name);

/// The level whose instances are nodes in a drawing that does not say so (System::node): the innermost one above the
/// devices that is a machine by its name, else the innermost that is no socket, else the whole system. Empty where that
/// is what an empty one means.
[[nodiscard]] std::string nodeLevelByName(const System& system);

}  // namespace p2
