// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system/system.h"

namespace p2::inline atlas {

/// One line of a table that nccl-tests printed.
struct AtlasRow {
  double bytes = 0;  ///< as nccl-tests prints them; of AllGather and ReduceScatter the full buffer
  bool inPlace = false;
  double seconds = 0;
  double busBandwidth = 0;  ///< bytes/s, as nccl-tests defines it
};

/// A published table of measurements, and the known figures of its machine. Unknown texts are empty. The columns of
/// resources/atlas/tables.csv, explained in its README.
struct AtlasTable {
  std::string name;
  std::string gpu;      ///< "H100-SXM5-80GB"
  int gpusPerNode = 0;  ///< as many as were used
  int nodes = 0;
  int nics = 0;             ///< per node; 0 when unknown
  double nicBandwidth = 0;  ///< bytes/s per direction of one NIC; 0 when unknown
  std::string fabric;       ///< what joins the nodes
  std::string nvlink;       ///< what joins the GPUs of one
  std::string version;      ///< library version, as in "2.18"
  std::string algorithm;    ///< that was forced on the library
  std::string protocol;     ///< that was forced on the library
  std::string nvls;
  std::string sharp;
  std::string collective;  ///< "all_reduce", as nccl-tests calls it
  std::string healthy;     ///< "yes", "no" or "unknown"
  std::string note;
  std::string source;  ///< where it was published
  std::vector<AtlasRow> rows;

  /// The machine without node count, collective and repetition, as in "alps-gh200": what cross-validation leaves out
  /// together.
  [[nodiscard]] std::string machine() const;
};

/// Ratio of bus bandwidth to bytes per second: 2(n−1)/n of an AllReduce among n, (n−1)/n of AllGather, ReduceScatter
/// and AllToAll, 1 of Broadcast and Reduce.
[[nodiscard]] double busFactor(std::string_view collective, int ranks);

/// All bundled tables, in the order of the file. Read when first asked for, once, in a few milliseconds; from any
/// thread.
[[nodiscard]] const std::vector<AtlasTable>& atlasTables();

/// The machine of a table as a system, put together from resources/atlas/parts.json like the presets (MachineParts):
/// as many GPUs of every node as were used, with the NICs that serve them. Where one process drove all GPUs of a node,
/// an operation takes at least 5 µs for each of them. Errors for a GPU that is not in that file.
[[nodiscard]] Result<System> systemOf(const AtlasTable& table);

/// The tables of a system's machine, or of similar ones: the same generation and GPUs per node (any number of them in
/// racks that are nodes), with links of a third to thrice the bandwidth; where the generation is unknown, the same
/// links. Tables of as many nodes come first, then tables with equal links of GPUs and NICs; otherwise in the order of
/// atlasTables(). The system's parts have been checked (checkParts()).
[[nodiscard]] std::vector<const AtlasTable*> tablesLike(const System& system);

}  // namespace p2::inline atlas
