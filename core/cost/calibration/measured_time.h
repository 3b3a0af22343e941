// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cost/cost_options.h"
#include "placement/parallelism_matrix.h"
#include "synthesis/instruction.h"
#include "system/system.h"

namespace p2::inline cost {

/// How long a reduction program, or one of its steps, was measured to take.
struct MeasuredTime {
  std::vector<Axis> axes;  ///< with the reduced ones marked
  ParallelismMatrix matrix;
  std::string program;                   ///< in DSL form; empty for the single AllReduce over the whole reduction group
  StepId step;                           ///< the step that was timed; none for all of them together
  CostOptions cost;                      ///< algorithm, bytes per device and runs that were timed together
  double seconds = 0;                    ///< seconds of all runs
  std::int64_t outermost = 0;            ///< instances of the outermost level that took part; 0 for all
  std::int64_t innermost = 0;            ///< devices of each innermost group that took part; 0 for all
  std::optional<Algorithm> forced = {};  ///< algorithm forced on the library; none if it chose, or unknown
  Protocol protocol = Protocol::None;    ///< protocol forced on the library
  bool backToBack = false;  ///< whether runs were issued one after the other without waiting, as nccl-tests
  std::size_t line = 0;     ///< where it stands in its file, from 1; 0 if it comes from none
  std::string file = {};    ///< the file's name, for errors; empty if that is clear
};

/// The part of a system that a measurement was taken on. Networks with an instance per device have fewer instances in
/// it; whether the part is a valid system is not checked.
[[nodiscard]] System measuredPart(System system, std::int64_t outermost, std::int64_t innermost);

/// A column of files with measurements.
struct MeasuredColumn {
  std::string_view name;
  std::string_view help;  ///< its meaning, and in brackets the value of an empty cell: a sentence without its full stop
  bool needed = false;    ///< whether each file must have it
  /// Takes a cell over. Errors are about the cell alone.
  Result<void> (*read)(MeasuredTime& time, std::string_view cell) = nullptr;
};

/// The columns that measuredTimesFromCsv() knows, in the order in which it reads a line.
[[nodiscard]] std::span<const MeasuredColumn> measuredColumns();

/// Reads measurements from comma-separated lines under a header that names the columns, in any order; cells with commas
/// are quoted, lines that begin with # left out, columns other than measuredColumns() ignored. Errors name the line and
/// the column.
[[nodiscard]] Result<std::vector<MeasuredTime>> measuredTimesFromCsv(std::string_view text);

}  // namespace p2::inline cost
