// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cost/flows/step_motion.h"
#include "text/json_writer.h"

namespace p2::inline cost {

/// The different rows of bit matrices, each once: devices hold the same ones over and over. Row 0 is the empty one.
class RowTable {
 public:
  /// For rows of this many columns.
  explicit RowTable(int columns) { numberOf(std::string(std::size_t(columns), '0')); }

  std::int64_t numberOf(const DeviceState& state, int row);
  /// A matrix as the number of a row and how often it follows itself, in turn.
  std::vector<std::int64_t> runsOf(const DeviceState& state);
  /// "0110", by number.
  [[nodiscard]] const std::vector<std::string>& rows() const { return m_rows; }

 private:
  std::int64_t numberOf(const std::string& row);

  std::map<std::string, std::int64_t> m_numbers;
  std::vector<std::string> m_rows;
};

/// Writes the members of an object that say how a step moves, for the script resources/page/stage.js: manner, leadTo,
/// sums and messages. A message is [sender, receiver, chunks, start, end, group, leads, landed rows, held, brought]: −1
/// is the middle of its group; the landed rows are row, count and number of the bits, in turn; the last two, of an
/// addition, may be missing. Above kMostShownMessages runs of rows there are none, and they show at the end of the
/// step. For explicit traces. O(messages · chunks).
void writeMotion(JsonWriter& json, const ProgramTrace& trace, StepId step, const StepMotion& motion, RowTable& table);

/// Writes the member "times": shares of a step's time at which its parts begin and end (constants of StepMotion).
void writeMotionTimes(JsonWriter& json);

}  // namespace p2::inline cost
