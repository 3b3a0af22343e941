// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runs/run_record.h"

namespace p2::inline runs {

/// A run of a program that ended well, without its plan: cheap to keep by the thousand.
struct MeasuredProgram {
  std::string system;  ///< as in RunRecord
  std::string axes;
  std::string matrix;
  std::string program;  ///< in DSL form
  std::string target;
  std::string backend;
  std::size_t ranks = 0;
  Bytes bytes;  ///< per device
  int pieces = 1;
  double seconds = 0;  ///< of one repetition, the median
  std::optional<double> predicted;
  friend bool operator==(const MeasuredProgram&, const MeasuredProgram&) = default;
};

/// The measured part of a record; empty for runs without a result or with wrong elements.
[[nodiscard]] std::optional<MeasuredProgram> measuredProgram(const RunRecord& record);

/// A question about two programs on one system.
struct MeasuredQuestion {
  std::string system;
  std::string axes;
  std::string matrixA;
  std::string programA;
  std::string matrixB;
  std::string programB;
};

/// Measured runs of two programs; each may be missing.
struct MeasuredPair {
  std::optional<MeasuredProgram> a;
  std::optional<MeasuredProgram> b;
  /// Whether both moved the same bytes in as many pieces with the same backend on the same target, so that their times
  /// can be compared.
  bool equal = false;
};

/// The newest runs of both programs that can be compared, else the newest of each. `runs` begins with the newest.
/// O(runs²) for the runs of these programs.
[[nodiscard]] MeasuredPair measuredPair(std::span<const MeasuredProgram> runs, const MeasuredQuestion& question);

/// "Measured on here (gloo, 8 ranks, 1.05 MB): A takes 3.10 ms, B 4.20 ms; A is 1.35× as fast as B, predicted 1.42×".
/// Empty where neither has been measured.
[[nodiscard]] std::string measuredText(const MeasuredPair& pair, const std::string& a, const std::string& b);

}  // namespace p2::inline runs
