// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "system/system.h"

namespace p2::inline system {

/// What people mean by a level, by the name they give it: "server", "Nodes" and "host" are machines, "cpu" and "socket"
/// parts of one that hold devices, "gpu" and "tpu" devices. A number behind it does not matter: "bridge2".
enum class LevelSort { Machine, Socket, Accelerator, Other };

[[nodiscard]] LevelSort levelSortOf(std::string_view name);

/// The name of a level's instances as people write it: "node", "GPU".
[[nodiscard]] std::string nounOf(const Level& level);

/// The node level of a drawing without System::node: the innermost level above the devices with a machine's name,
/// else the innermost that is neither a socket nor an accelerator, else the whole system. Empty if that is the meaning
/// of an empty System::node.
[[nodiscard]] std::string nodeLevelByName(const System& system);

/// How many devices each host has. A host has a name, and launchers start processes on it. A node is one host, except
/// where one NVLink joins several hosts: a level of machines or trays inside the node, or trays of four GPUs for GB200
/// and GB300.
[[nodiscard]] std::int64_t devicesPerHost(const System& system);

}  // namespace p2::inline system
