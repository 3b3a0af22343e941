// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "workload/communication_kind.h"

namespace p2::inline workload {

/// A kernel or collective of a measured run.
struct RunSlice {
  std::string name;
  std::int64_t device = 0;  ///< GPU of the rank
  double start = 0;         ///< seconds from an arbitrary moment of the rank
  double seconds = 0;
  bool communicates = false;
  std::optional<CommunicationKind> kind;  ///< a collective with a known name
  double bytes = 0;                       ///< full tensor, gathered or not yet reduced; 0 where not known
  std::int64_t members = 0;               ///< devices of the group; 0 where not known
  std::string group;                      ///< name of the group
  std::int64_t number = -1;               ///< sequence number in the group; −1 if not known
};

/// Kernels of one rank.
struct RunTrace {
  std::int64_t rank = -1;  ///< −1 where the file does not say
  std::string host;
  std::vector<RunSlice> slices;  ///< by start
};

/// Largest number of slices of a run's files.
inline constexpr std::size_t kMostRunSlices = 4'000'000;

/// Reads a run from a file: a trace of the PyTorch profiler (Kineto, also packed with gzip), an export of Nsight
/// Systems (nsys export --type sqlite), or the lines of NCCL's Inspector plugin, of one rank or several. SQLite files
/// are read by the program sqlite3 in a process with limits. Errors: another kind of file, damaged, too many slices
/// (TooLarge), sqlite3 is not installed; cancelled.
[[nodiscard]] Result<std::vector<RunTrace>> readRunTraces(const std::string& path, const std::stop_token& stop = {});

/// "ncclDevKernel_AllReduce_Sum_f32_RING_LL" is AllReduce; other kernels have none, nor has ncclDevKernel_SendRecv,
/// which carries out shifts and AllToAll.
[[nodiscard]] std::optional<CommunicationKind> kernelKind(std::string_view kernel);

}  // namespace p2::inline workload
