// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/synthesis.
#pragma once

#include "synthesis/detail/folded_engine.h"
#include "synthesis/program_trace.h"

namespace p2::inline synthesis {

/// Record of one engine about one program; members are numbered as in the hierarchy.
class TraceRecord {
 public:
  TraceRecord(const SynthesisHierarchy& own, Program ran, const Goal& wanted)
      : hierarchy(own), program(std::move(ran)), goal(wanted) {}
  virtual ~TraceRecord() = default;
  TraceRecord(const TraceRecord&) = delete;
  TraceRecord& operator=(const TraceRecord&) = delete;

  [[nodiscard]] virtual int validSteps() const = 0;
  /// Of every member.
  [[nodiscard]] virtual std::vector<std::int64_t> chunkCounts(int steps) const = 0;
  [[nodiscard]] virtual ChunkSet chunksOf(MemberId member, int steps) const = 0;
  [[nodiscard]] virtual std::vector<SharedChunks> chunksOfMembers(int steps) const;
  [[nodiscard]] virtual Holding holdingOf(MemberId member, int steps) const = 0;
  [[nodiscard]] virtual std::vector<FoldedState> partsOf(MemberId member, int steps) const = 0;
  [[nodiscard]] virtual std::int64_t mostRunsOf(MemberId member, int steps) const = 0;

  SynthesisHierarchy hierarchy;
  Program program;
  Goal goal;
  std::int64_t members = 1;
  std::int64_t chunks = 1;
  std::optional<StepFailure> failure;
  bool complete = false;
  std::vector<std::vector<DeviceState>> matrices;  ///< [steps][member], of the explicit engine
  std::vector<CompactState> compactStates;         ///< from the compact engine
};

/// Errors: as execute().
[[nodiscard]] Result<std::shared_ptr<const TraceRecord>> recordExplicitly(const Placement& placement,
                                                                          const SynthesisHierarchy& hierarchy,
                                                                          const Program& program, RuleSet rules,
                                                                          const Goal& goal);
/// Errors: as executeCompactly().
[[nodiscard]] Result<std::shared_ptr<const TraceRecord>> recordCompactly(const Placement& placement,
                                                                         const SynthesisHierarchy& hierarchy,
                                                                         const Program& program, RuleSet rules,
                                                                         const Goal& goal);

}  // namespace p2::inline synthesis
