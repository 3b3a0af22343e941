// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers.
#pragma once

#include <string>
#include <vector>

#include "importers/machine.h"

namespace p2 {

/// What the direct links of a machine's GPUs amount to.
struct GpuFabric {
  Interconnect interconnect;      ///< of all GPUs, a switch or a mesh; kind None when there is no such thing
  std::vector<std::size_t> ring;  ///< the GPUs round the ring that the links are; empty when they are none
  std::string text;               ///< "NVSwitch, 12 NVLinks a GPU"; empty without links

  [[nodiscard]] bool joinsAll() const { return interconnect.kind != InterconnectKind::None; }
};

/// A switch when every GPU has links into switches, a mesh when every two have equally many, a ring when the links are
/// one ring with equally many along it; else none of them. O(devices²).
[[nodiscard]] GpuFabric fabricOf(const GpuLinks& links);

/// The links that do not join all GPUs alike, as networks inside `within`: one for the ring, or one for every two GPUs
/// that are joined. `order` is the GPU at each place of the hierarchy.
[[nodiscard]] std::vector<Network> linkNetworks(const GpuFabric& fabric, const GpuLinks& links,
                                                const std::vector<std::size_t>& order, const std::string& within);

}  // namespace p2
