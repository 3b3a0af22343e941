// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system/system.h"

namespace p2::inline workspace {

/// A named family of systems with a number of nodes: "gcp-a100:4". A file of resources/presets: a machine put
/// together from parts (MachineParts), with its number of nodes multiplied, or a system in which a number can
/// also be "nodes" or, as in "50e9 * nodes", a multiple of it.
struct Preset {
  std::string name;
  std::string description;
  std::string source;  ///< where its figures come from
  int defaultNodes = 2;
};

[[nodiscard]] const std::vector<Preset>& presets();

/// "gcp-a100:N, gcp-v100:N, …", for messages.
[[nodiscard]] std::string presetNames();

/// The preset's system with that many nodes, its parts checked. Errors name the known presets.
[[nodiscard]] Result<System> presetSystem(std::string_view name, std::int64_t nodes);

/// Name of an edited system that is no preset any more: "dgx-h100:12, edited" if `before` was named after a preset,
/// shapeOf() if it was named after its shape, else the user's own name.
[[nodiscard]] std::string editedName(const System& before, const System& after);

/// A system from text: a preset ("gcp-a100:4") or a synthetic description in the manner of hwloc,
/// "rack:1 server:2 cpu:2 gpu:4", each level optionally with bandwidth, latency and kind behind an '@', and other
/// properties by their keys: "gpu:16@270GB/s,2us,ring,halfDuplex=yes". Commas between levels are taken as well. Nodes
/// are the level that is named so (nodeLevelByName()). Its parts are checked (checkParts()).
[[nodiscard]] Result<System> parseSystem(std::string_view text);

}  // namespace p2::inline workspace
