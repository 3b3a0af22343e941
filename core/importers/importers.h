// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system/system.h"

namespace p2 {

/// A system read from another program's description of a machine, and how far the description was followed. The three
/// lists are in people's words, one thing each: "8 GPUs", "25 GB/s for every NVLink", "3 block devices".
struct Imported {
  System system;       ///< validated
  std::string format;  ///< "nvidia-smi topo -m"
  std::vector<std::string> understood;
  std::vector<std::string> assumed;  ///< figures the description does not give
  std::vector<std::string> ignored;
};

struct ImportOptions {
  /// How many such machines: with 2 or more a level "node" is put above them, joined through all their network cards
  /// together. Descriptions of a whole cluster (ASTRA-sim) do not take it.
  std::int64_t nodes = 1;
};

inline constexpr std::size_t kMostImportBytes = std::size_t{16} << 20;

/// Whether importTopology() knows the format; what is in it may still be wrong.
[[nodiscard]] bool isImportable(std::string_view text);

/// Reads any of the known formats, told apart by content:
/// - XML of hwloc (lstopo --of xml) and of NCCL (NCCL_TOPO_DUMP_FILE)
/// - the matrix that `nvidia-smi topo -m` prints
/// - the network YAML of ASTRA-sim
///
/// Devices are the GPUs where there are any, else cores. What is no uniform hierarchy loses the groups that are
/// unequal, never a device. Errors: too large, not a known format, broken (with its place), no devices. O(text), and
/// O(devices²) for links between GPUs.
[[nodiscard]] Result<Imported> importTopology(std::string_view text, const ImportOptions& options = {});

/// A machine in the notation of hwloc, "pack:2 core:4 pu:2".
[[nodiscard]] Result<Imported> importSynthetic(std::string_view description, const ImportOptions& options = {});

/// The machine this runs on, as hwloc sees it.
[[nodiscard]] Result<Imported> importThisMachine(const ImportOptions& options = {});

}  // namespace p2
