// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "training/memory.h"
#include "training/training_runs.h"

namespace p2::test {

/// Kind of a published figure of memory.
enum class MemoryFigure {
  Allocated,  ///< peak of the tensors, by the framework's allocator: compares with TrainingMemory::total()
  Driver,     ///< memory in use on the device, with the context, libraries and gaps of the allocator
  Exceeded,   ///< no figure: the run did not fit
};

/// A published peak of memory, as a row of resources/training/memory.csv.
struct MemoryRun {
  TrainingRun run;  ///< configuration and machine; `run.seconds` is 0
  MemoryFigure figure = MemoryFigure::Allocated;
  double bytes = 0;           ///< measured on the fullest device; 0 of MemoryFigure::Exceeded
  std::string unscored = {};  ///< why it is not scored; empty if it is

  [[nodiscard]] bool isScored() const { return unscored.empty(); }
};

/// All rows of that file, in its order. The program has no use for them: no constant is fitted to memory.
[[nodiscard]] std::vector<MemoryRun> memoryRuns();

/// The predicted bytes of a scored run, counted as its figure counts: with the default reserve for MemoryFigure::Driver
/// and Exceeded.
[[nodiscard]] double predictedBytes(const MemoryRun& run);

}  // namespace p2::test
