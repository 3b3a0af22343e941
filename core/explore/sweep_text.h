// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "explore/sweep.h"

namespace p2::inline explore {

/// "bytes per device", "nodes", "bandwidth of NVSwitch": the swept variable.
[[nodiscard]] std::string overText(const SweepRange& range);
/// "3.20 MB", "16", "270 GB/s", "2.00 µs": one value of a range.
[[nodiscard]] std::string valueText(const SweepRange& range, double value);
/// "ring, LL128 · tree, LL": what every step takes.
[[nodiscard]] std::string choicesText(const SweepChoice& choice);
/// "above 3.20 MB RS·AR·AG wins"; "… on [[1,8],[2,1]] wins" where another placement becomes the best, "from 8 …" over
/// nodes.
[[nodiscard]] std::string crossoverText(const SweepRange& range, const SweepCrossover& crossover);
/// "time falls here because NCCL changes its choice: 22.0 µs at 4.00 kB (tree, LL), 17.2 µs at 4.70 kB (ring, LL128)":
/// over Bytes, for every point that takes less time than the one before it.
[[nodiscard]] std::vector<std::string> fallTexts(const Sweep& sweep);
/// "nodes are instances of rack; data, 8 at 2, grows with them": the meaning of a number of nodes for a workspace, and
/// its effect on the axes.
[[nodiscard]] std::string growingText(const Workspace& workspace);

}  // namespace p2::inline explore
