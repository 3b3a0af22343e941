// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "system/system.h"

namespace p2::inline workspace {

/// A machine as people describe it: nodes of GPUs, and the NICs between them. The meanings of the words are in one
/// file, resources/atlas/parts.json.
struct MachineParts {
  std::string gpu;     ///< "H100-SXM5-80GB"; the beginning is looked up
  std::string nvlink;  ///< what joins the GPUs of a node: "NVSwitch", "full mesh", "cube mesh", "MNNVL" …
  std::int64_t gpusPerNode = 8;
  std::int64_t nodes = 1;
  std::int64_t nics = 0;    ///< per node; 0 for the default
  double nicBandwidth = 0;  ///< bytes/s per direction; 0 for the default one
  std::string fabric;       ///< what joins the NICs: "IB NDR", "RoCE", "Slingshot-11", "EFA v2" …
  bool nvls = true;         ///< whether NVLink switches that can add up may
  bool sharp = false;       ///< whether the switches of the fabric add up
  Library library = {};     ///< without a generation, which is the GPU's
  /// Nodes whose rails meet in the same switches, which a spine joins; 0 for rails over all nodes. A divisor of
  /// `nodes`.
  std::int64_t nodesPerRack = 0;
  double oversubscription = 1;  ///< bandwidth of the nodes of a rack over the bandwidth of its ways to the spine
};

/// The machine as a system. Nodes and GPUs; of multi-node NVLink, racks of up to 18 nodes and GPUs, as even as they
/// divide. NICs are assigned to GPUs in blocks; those that share a GPU are one with their bandwidth together, as many
/// as the GPU's PCIe can feed. They meet in rails below a spine that does not block, or in one network where the fabric
/// has no rails. With racks, the rails end in each rack. Errors for an unknown GPU, for counts that are not positive,
/// for racks that the machine cannot have, and as checkParts().
[[nodiscard]] Result<System> systemOf(const MachineParts& parts);

/// Memory, its bandwidth and peaks of a GPU by its data sheet; none for a GPU that is not known. Its type is `gpu`.
[[nodiscard]] std::optional<Accelerator> gpuDataSheet(const std::string& gpu);
/// The beginnings by which GPUs are known.
[[nodiscard]] std::vector<std::string> knownGpus();

/// "hopper" for "H100-SXM5-80GB"; empty for a GPU that is not known.
[[nodiscard]] std::string generationOf(std::string_view gpu);

}  // namespace p2::inline workspace
