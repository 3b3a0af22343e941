// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "cost/cost_model.h"
#include "cost/detail/library_view.h"

namespace p2::inline cost {

/// Bandwidth of a device's own memory, bytes/s, of the slowest and the fastest part of a generation: what their
/// datasheets say (resources/nccl/memory.json).
struct DeviceMemory {
  double least = 0;
  double most = 0;
  std::string parts;  ///< "A100 40 GB (1555 GB/s), A100 80 GB (2039 GB/s)"
};

/// None if the generation is unknown, and for generations of general-purpose cards, whose range is too wide, or
/// whose devices are joined by PCIe, as such cards are.
[[nodiscard]] std::optional<DeviceMemory> deviceMemoryOf(const LibraryView& machine);

/// Interval of the time in which a device copies this many bytes within its memory, reading and writing each once at
/// the nominal bandwidth: no copy is faster. Such a copy puts the shards of a program in order (shardOrder()). It is
/// listed next to a program's time but is not part of it, because the order does not matter where the shards are
/// gathered the other way round, as inside every AllReduce. None if the memory is unknown.
[[nodiscard]] std::optional<SecondsRange> localCopySeconds(const LibraryView& machine, Bytes bytes);

}  // namespace p2::inline cost
