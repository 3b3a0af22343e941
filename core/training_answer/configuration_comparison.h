// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/document.h"
#include "training/planner.h"

namespace p2::inline training_answer {

/// A configuration with the name by which it was asked for.
struct NamedConfiguration {
  std::string name;  ///< "1", "mine", "train.sh"
  PlannedConfiguration planned;
};

/// One line of a comparison: a choice in words, or a number with the difference of B from A.
struct ComparedLine {
  enum class Kind {
    Choice,      ///< "tp", "placement"
    Total,       ///< "step", "memory", "MFU"
    TimePart,    ///< a part of the step
    MemoryPart,  ///< a part of the memory
  };
  Kind kind = Kind::Choice;
  std::string what;
  Value a;
  Value b;
  Value difference;  ///< "+2.3 s"; no text for choices and for differences below 1e-4 of the total

  [[nodiscard]] bool isPart() const { return kind == Kind::TimePart || kind == Kind::MemoryPart; }
};

/// Choices that differ, then the parts of both steps and of their memory. Parts below a thousandth of the total are
/// left out. `reserve`: bytes of a device that are kept free; a line of their own. Both configurations are for
/// `system`.
[[nodiscard]] std::vector<ComparedLine> compareConfigurations(const PlannedConfiguration& a,
                                                              const PlannedConfiguration& b, double reserve,
                                                              const System& system);

/// "B takes 2.3 s longer than A: exposed dp +2.1 s, pipeline bubble +1.3 s, computation −1.1 s", or that they tie.
/// `lines` come from compareConfigurations(). Configurations that need more than the `memory` of a device with
/// `reserve` bytes kept free are named first.
[[nodiscard]] std::string describeComparison(const std::vector<ComparedLine>& lines, const NamedConfiguration& a,
                                             const NamedConfiguration& b, double reserve, double memory);

/// "a larger bubble, +1.3 s": the part that makes most of what step B takes longer than step A, or less. Empty where
/// they take the same.
[[nodiscard]] std::string describeMainPart(const StepEstimate& a, const StepEstimate& b);

/// "data over node 16, tensor over gpu 8": the levels that every axis spans.
[[nodiscard]] std::string spanText(const PlannedConfiguration& planned, const System& system);
/// "interleaved": 1f1b with several chunks on a stage.
[[nodiscard]] std::string_view scheduleText(const TrainingConfiguration& configuration);

}  // namespace p2::inline training_answer
