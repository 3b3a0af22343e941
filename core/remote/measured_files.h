// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cost/calibration/measured_time.h"
#include "system/system.h"

namespace p2::inline remote {

/// Measurements out of files, and which of their rows were taken.
struct MeasuredFiles {
  std::vector<MeasuredTime> measurements;
  std::vector<std::string> used;  ///< "ring.txt: 12 sizes of AllReduce over 8 ranks, 8 B to 134 MB"
  std::vector<std::string> left;  ///< "ring.txt: sendrecv_perf, which is not one of our collectives"
};

/// A format of files with measurements.
struct MeasurementFormat {
  std::string_view name;  ///< "output of OSU micro-benchmarks"
  std::string_view help;  ///< contents and omissions: sentences without their last full stop
};

/// The formats that measurementsIn() reads, in the order in which it tries them.
[[nodiscard]] std::vector<MeasurementFormat> measurementFormats();

/// Numbers of the tables of a file to take, from 1, in the file's order; empty for all.
using TableNumbers = std::vector<std::size_t>;

/// Reads the measurements of a system from a file in one of measurementFormats(), as people paste it. A collective over
/// all ranks is one over as many whole instances of the outermost level, or over that many devices of one innermost
/// group; output that does not say how many took part is taken for all devices. `name` stands in errors and notes.
/// Errors: none of these formats, none of its rows fits the system, a table that is not there, two tables of one
/// collective on as many ranks whose times differ by more than noise.
[[nodiscard]] Result<MeasuredFiles> measurementsIn(std::string_view text, const std::string& name, const System& system,
                                                   const TableNumbers& tables = {});

/// Whether measurementsIn() knows the format; no row of it may fit a system.
[[nodiscard]] bool holdsMeasurements(std::string_view text, const std::string& name);

/// Reads several files one after the other; "-" is standard input. `used` says which of them measured the same
/// with times that differ by more than noise. Errors: also a file that is named twice, tables of more than one file.
[[nodiscard]] Result<MeasuredFiles> measurementsFromFiles(const std::vector<std::string>& paths, const System& system,
                                                          const TableNumbers& tables = {});

}  // namespace p2::inline remote
