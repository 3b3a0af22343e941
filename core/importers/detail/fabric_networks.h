// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: GPU links as networks in addition to the hierarchy.
#pragma once

#include "importers/detail/gpu_fabric.h"
#include "importers/detail/uniform_hierarchy.h"

namespace p2::inline importers {

/// The order of the GPUs in which the GPUs of an island that is no switch or mesh follow a ring of its links, if one
/// can follow the hierarchy too; else `order` itself. Rings of a group run in the order of devices.
[[nodiscard]] std::vector<std::size_t> orderAlongRings(const GpuFabric& fabric, const GpuLinks& links,
                                                       const std::vector<std::size_t>& order,
                                                       const std::vector<Partition>& divisions);

/// Whether an island has rings through all its GPUs, but none in the order given.
[[nodiscard]] bool missesRings(const GpuFabric& fabric, const GpuLinks& links, const std::vector<std::size_t>& order);

/// A network for every island, and for every two GPUs where an island is neither switch, mesh nor plain ring. Such an
/// island also gets its rings as one network, in which every link of a neighbour has the bandwidth of all rings that
/// share none, both ways round: the bandwidth of a reduction over the island, as NCCL runs it. So have the groups of
/// every level of `divisions`, named in `levels`. This assumption is noted.
[[nodiscard]] std::vector<Network> fabricNetworks(const GpuFabric& fabric, const GpuLinks& links,
                                                  const std::vector<std::size_t>& order,
                                                  const std::vector<Partition>& divisions,
                                                  const std::vector<Level>& levels, const std::string& within,
                                                  Imported& notes);

}  // namespace p2::inline importers
