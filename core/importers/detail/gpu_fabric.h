// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers.
#pragma once

#include <string>
#include <vector>

#include "importers/detail/machine.h"
#include "importers/detail/ring_search.h"

namespace p2::inline importers {

/// GPUs that direct links join, however many are between two of them.
struct GpuIsland {
  enum class Kind {
    Switch,  ///< every GPU has `links` links into switches
    Mesh,    ///< every two have `links` between them
    Ring,    ///< every GPU has `links` to each of two neighbours, and the neighbours make one ring
    Other,
  };
  Kind kind = Kind::Other;
  std::vector<std::size_t> gpus;  ///< ascending; a ring's in its order
  int links = 0;                  ///< the fewest, where they differ into a switch
};

/// Summary of the direct links of a machine's GPUs.
struct GpuFabric {
  std::vector<GpuIsland> islands;  ///< of two GPUs or more
  std::size_t gpus = 0;            ///< number in the machine

  /// Whether all GPUs are joined equally, so that nothing else matters inside the machine.
  [[nodiscard]] bool joinsAll() const;
  /// Whether the machine is two or more switches with equally many GPUs.
  [[nodiscard]] bool isSwitches() const;
  [[nodiscard]] bool hasSwitch() const;
};

/// O(devices²).
[[nodiscard]] GpuFabric fabricOf(const GpuLinks& links);

/// "NVSwitch, 12 NVLinks a GPU": the fabric in words, one for each kind of island.
[[nodiscard]] std::vector<std::string> textOf(const GpuFabric& fabric, const GpuLinks& links);

/// The interconnect of an island that is a switch or a mesh.
[[nodiscard]] Interconnect interconnectOf(const GpuIsland& island, const GpuLinks& links);

/// The links among some of the GPUs, in their order.
[[nodiscard]] LinkMatrix linksAmong(const GpuLinks& links, const std::vector<std::size_t>& gpus);

}  // namespace p2::inline importers
