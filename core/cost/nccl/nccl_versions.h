// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cost/cost_options.h"
#include "cost/detail/library_view.h"

namespace p2::inline cost {

/// What versions of NCCL differ in and the nccl model prices.
enum class NcclFeature {
  Multicast,      ///< NVLS
  MulticastTree,  ///< NVLSTree
  Pat,
  LL128,
  WideLL,           ///< LL with its present share, after rings had narrowLL()
  MulticastOneWay,  ///< NVLS for ReduceScatter and AllGather
  Registered,       ///< kernels for buffers in symmetric windows
  CopyEngines,      ///< AllGather of long registered buffers without kernels
  Relays,           ///< PXN: sends by way of the device on the receiver's rail
};
inline constexpr std::size_t kNcclFeatures = 9;

/// One step of NCCL's tuning from one version to the next, with the tag of its source that was the first to have it.
struct NcclChange {
  std::string since;                    ///< "2.18"
  bool priced = false;                  ///< or it only moves NCCL's own estimates, for which the model has constants
  std::string feature;                  ///< that is there since then; empty for other figures
  std::vector<Generation> generations;  ///< that have the feature since then; empty for all
  std::string tag;
  std::string text;
};

/// resources/nccl/versions.json, which is compiled in: oldest first.
[[nodiscard]] const std::vector<NcclChange>& ncclChanges();
/// The changes of any such file, for tests. Errors: one sentence about the first value that is missing, of another
/// kind, a word that nothing here knows, or in another order, with the pointer to it.
[[nodiscard]] Result<std::vector<NcclChange>> ncclChangesFrom(std::string_view text);

/// Whether the library of a system has it. One whose version is unknown is the newest; a generation that no change
/// names has everything. O(1).
[[nodiscard]] bool ncclHas(NcclFeature feature, const LibraryView& machine);

/// Upper bound of LL's bytes/s in NCCL's tuning, on each device of a communicator with this many nodes. O(1).
[[nodiscard]] double mostLL(const LibraryView& machine, std::int64_t nodes);

/// As above, relative to one node of Ampere in the newest version. O(1).
[[nodiscard]] double shareOfMostLL(const LibraryView& machine, std::int64_t nodes);

/// How fast a generation runs the library's protocols, of what Ampere does: as mostLL() on one node today. O(1).
[[nodiscard]] double paceOf(Generation generation);

/// Start time of LL and LL128 in a ring or tree, relative to the newest version; 1 for everything else. O(1).
[[nodiscard]] double startShare(const LibraryView& machine, Algorithm algorithm, Protocol protocol);

/// Bandwidth of LL before WideLL, relative to the newest version.
[[nodiscard]] double narrowLL();

}  // namespace p2::inline cost
