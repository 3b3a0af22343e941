// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "cost/cost_model.h"
#include "cost/library_view.h"

namespace p2 {

/// Bandwidth of a device's own memory, bytes/s, of the slowest and the fastest part of a generation: what their
/// datasheets say (resources/nccl/memory.json).
struct DeviceMemory {
  double least = 0;
  double most = 0;
  std::string parts;  ///< "A100 40 GB (1555 GB/s), A100 80 GB (2039 GB/s)"
};

/// Nothing where the generation is unknown, and none either of one whose parts are cards for all purposes, of which no
/// range says much, or whose devices are joined by PCIe, as such cards are.
[[nodiscard]] std::optional<DeviceMemory> deviceMemoryOf(const LibraryView& machine);

/// Between which times a device copies so many bytes from one place of its memory to another, reading and writing each
/// once at the nominal bandwidth: no copy is faster. What puts the shards that a program leaves in another order
/// (shardOrder()) in order. It is told beside a program's time and no part of it, for nobody needs the order where the
/// shards are gathered again the other way round, as inside every AllReduce. Nothing where the memory is not known.
[[nodiscard]] std::optional<SecondsRange> localCopySeconds(const LibraryView& machine, Bytes bytes);

}  // namespace p2
