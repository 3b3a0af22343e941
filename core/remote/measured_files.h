// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "cost/measured_time.h"
#include "system/system.h"

namespace p2 {

/// Measurements out of files, and which of their rows were taken.
struct MeasuredFiles {
  std::vector<MeasuredTime> measurements;
  std::vector<std::string> used;  ///< "ring.txt: 12 sizes of AllReduce over 8 ranks, 8 B to 134 MB"
  std::vector<std::string> left;  ///< "ring.txt: sendrecv_perf, which is none of our collectives"
};

/// What a file holds, of a system: comma-separated measurements (measuredTimesFromCsv()), the output of nccl-tests and
/// rccl-tests or of OSU micro-benchmarks as people paste it, or our own runs, exported as JSON or written by p2 run
/// --json. A collective over all ranks is one over as many whole instances of the outermost level; output that does not
/// say how many took part is taken for all devices. `name` is for errors and for what was used.
/// Errors: none of these formats, or none of its rows fits the system.
[[nodiscard]] Result<MeasuredFiles> measurementsIn(std::string_view text, const std::string& name,
                                                   const System& system);

/// Whether measurementsIn() knows the format; no row of it may fit a system.
[[nodiscard]] bool holdsMeasurements(std::string_view text, const std::string& name);

/// The same of several files one after the other; "-" is standard input. Errors: also a file that is named twice.
[[nodiscard]] Result<MeasuredFiles> measurementsFromFiles(const std::vector<std::string>& paths, const System& system);

}  // namespace p2
