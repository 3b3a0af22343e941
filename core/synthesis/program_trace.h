// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "synthesis/execution.h"
#include "synthesis/folded_state.h"

namespace p2::inline synthesis {

/// The amount of data on one device.
struct Holding {
  std::int64_t chunks = 0;
  std::int64_t leastSummed = 0;  ///< contributors of its least summed chunk; 0 if it holds nothing
  std::int64_t mostSummed = 0;
  friend bool operator==(const Holding&, const Holding&) = default;
};

using SharedChunks = std::shared_ptr<const ChunkSet>;

class TraceRecord;

/// A program, right or wrong, run on one placement: the data of every device before the first step and after every
/// other, and the reason of a stop. Reduction groups of at most kMostExplicitMembers devices are followed as bit
/// matrices, larger ones in compact states, and device by device from the first step that cannot lead to the goal; all
/// report the same steps, premises, devices and chunks. A cheap, shared value.
class ProgramTrace {
 public:
  /// Runs the program as far as its steps' premises hold. Errors: bit matrices needed (for a hierarchy other than
  /// ReductionAxes) for more than kMostExplicitMembers devices, more levels than kMostSynthesisLevels.
  [[nodiscard]] static Result<ProgramTrace> run(const Placement& placement, const SynthesisHierarchy& hierarchy,
                                                const Program& program, RuleSet rules,
                                                const Goal& goal = kAllReduceGoal);

  /// As run(), in compact states however small the groups are: for comparing the two. ReductionAxes alone.
  [[nodiscard]] static Result<ProgramTrace> runCompactly(const Placement& placement,
                                                         const SynthesisHierarchy& hierarchy, const Program& program,
                                                         RuleSet rules, const Goal& goal = kAllReduceGoal);

  [[nodiscard]] const SynthesisHierarchy& hierarchy() const;
  [[nodiscard]] const Program& program() const;
  /// Steps that can run, from the first on. All members below are about 0 … validSteps() `steps` having run.
  [[nodiscard]] int validSteps() const;
  /// The goal of the program, adapted by goalOn().
  [[nodiscard]] const Goal& goal() const;
  /// Whether all steps run and the goal is reached: for AllReduce, that every device ends with every contribution of
  /// its reduction group.
  [[nodiscard]] bool complete() const;
  /// Why step validSteps() cannot run, if there is such a step.
  [[nodiscard]] const std::optional<StepFailure>& failure() const;
  /// Why the program does not reach its goal, naming the step: the failed one or that it ends too early.
  [[nodiscard]] std::optional<Error> problem() const;

  /// Chunks that a vector is cut into: the devices of one reduction group.
  [[nodiscard]] std::int64_t chunks() const;
  /// Chunks held by each of these devices. O(devices).
  [[nodiscard]] std::vector<std::int64_t> chunkCounts(int steps, IdRange<Device> devices) const;
  [[nodiscard]] Holding holdingOf(Device device, int steps) const;
  /// The chunks that a device holds.
  [[nodiscard]] ChunkSet chunksOf(Device device, int steps) const;
  /// States of each of these devices; those that hold the same mostly share one set.
  [[nodiscard]] std::vector<SharedChunks> chunksOfDevices(int steps, IdRange<Device> devices) const;
  /// Data of a device, as states with disjoint rows; empty if it holds nothing.
  [[nodiscard]] std::vector<FoldedState> partsOf(Device device, int steps) const;
  /// Upper bound of the runs of rows, and of columns, of the parts of a device's data. O(levels).
  [[nodiscard]] std::int64_t mostRunsOf(Device device, int steps) const;

  /// Whether bit matrices are at hand.
  [[nodiscard]] bool isExplicit() const;
  /// The bit matrix of a device; isExplicit() alone.
  [[nodiscard]] const DeviceState& matrixOf(Device device, int steps) const;
  /// The states before the first and after every step that can still lead to the goal; empty if isExplicit().
  [[nodiscard]] const std::vector<CompactState>& compactStates() const;

 private:
  explicit ProgramTrace(std::shared_ptr<const TraceRecord> record) : m_record(std::move(record)) {}
  std::shared_ptr<const TraceRecord> m_record;
};

}  // namespace p2::inline synthesis
