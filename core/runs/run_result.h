// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace p2::inline runs {

/// Smallest, median and largest of the repetitions, in seconds; in each the slowest rank counts.
struct Spread {
  double min = 0;
  double median = 0;
  double max = 0;
  friend bool operator==(const Spread&, const Spread&) = default;
};

/// Median of the values. Precondition: not empty. The median of an even number is the mean of the middle two.
[[nodiscard]] Spread spreadOf(std::vector<double> values);

/// One step of a program, over all repetitions.
struct StepRun {
  std::string collective;
  std::int64_t members = 1;       ///< ranks of a group
  Bytes bytes;                    ///< the vector a group works on, per device
  Spread seconds;                 ///< zero where steps overlap: then none has a time of its own
  double algorithmBandwidth = 0;  ///< bytes / median, bytes/s, as nccl-tests defines it
  double busBandwidth = 0;        ///< algorithm bandwidth times the collective's share, bytes/s
  friend bool operator==(const StepRun&, const StepRun&) = default;
};

/// Measured times and errors.
struct RunResult {
  std::string backend;
  std::string library;             ///< "Open MPI 4.1.4": what moved the bytes
  std::string version;             ///< version of the runner
  std::string planHash;            ///< hash of the plan's text, see planHash()
  std::vector<std::string> hosts;  ///< of each rank
  Bytes bytes;                     ///< per device, as run
  int repeat = 0;
  std::int64_t wrongElements = 0;  ///< over all devices, in both number formats; more than 0 is a failed run
  Spread seconds;                  ///< one repetition of the whole program
  std::vector<StepRun> steps;
  int pieces = 1;  ///< that followed each other through the steps; with more than one, steps overlapped
  friend bool operator==(const RunResult&, const RunResult&) = default;
};

/// 16 hexadecimal digits that tell plans apart (FNV-1a).
[[nodiscard]] std::string planHash(std::string_view plan);

}  // namespace p2::inline runs
