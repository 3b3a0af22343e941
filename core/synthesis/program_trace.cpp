// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/program_trace.h"

#include "synthesis/achieved.h"
#include "synthesis/detail/trace_record.h"

namespace p2::inline synthesis {
namespace {

MemberId memberIn(const SynthesisHierarchy& hierarchy, Device device) {
  return hierarchy.kind() == HierarchyKind::ReductionAxes ? hierarchy.memberOf(device) : MemberId(device.value());
}

}  // namespace

Result<ProgramTrace> ProgramTrace::run(const Placement& placement, const SynthesisHierarchy& hierarchy,
                                       const Program& program, RuleSet rules, const Goal& wanted) {
  const Goal goal = goalOn(hierarchy, wanted);
  const bool compact =
      hierarchy.kind() == HierarchyKind::ReductionAxes && hierarchy.deviceCount() > kMostExplicitMembers;
  if (compact) return runCompactly(placement, hierarchy, program, rules, goal);
  P2_TRY_ASSIGN(auto record, recordExplicitly(placement, hierarchy, program, rules, goal));
  return ProgramTrace(std::move(record));
}

Result<ProgramTrace> ProgramTrace::runCompactly(const Placement& placement, const SynthesisHierarchy& hierarchy,
                                                const Program& program, RuleSet rules, const Goal& goal) {
  P2_TRY_ASSIGN(auto record, recordCompactly(placement, hierarchy, program, rules, goalOn(hierarchy, goal)));
  return ProgramTrace(std::move(record));
}

const SynthesisHierarchy& ProgramTrace::hierarchy() const { return m_record->hierarchy; }
const Program& ProgramTrace::program() const { return m_record->program; }
const Goal& ProgramTrace::goal() const { return m_record->goal; }
int ProgramTrace::validSteps() const { return m_record->validSteps(); }
bool ProgramTrace::complete() const { return m_record->complete; }
const std::optional<StepFailure>& ProgramTrace::failure() const { return m_record->failure; }

std::optional<Error> ProgramTrace::problem() const {
  if (failure()) {
    const auto step = static_cast<std::size_t>(validSteps());
    return Error{instructionText(hierarchy(), program()[step]) + ": " + failure()->sentence,
                 "step " + std::to_string(step + 1)};
  }
  if (!complete()) return Error{"the program ends before " + achievedOn(hierarchy(), m_record->goal)};
  return std::nullopt;
}

std::int64_t ProgramTrace::chunks() const { return m_record->chunks; }

std::vector<std::int64_t> ProgramTrace::chunkCounts(int steps, IdRange<Device> devices) const {
  const std::vector<std::int64_t> ofMembers = m_record->chunkCounts(steps);
  std::vector<std::int64_t> counts;
  counts.reserve(static_cast<std::size_t>(devices.size()));
  for (const Device device : devices) {
    counts.push_back(ofMembers[memberIn(hierarchy(), device).index()]);
  }
  return counts;
}

Holding ProgramTrace::holdingOf(Device device, int steps) const {
  return m_record->holdingOf(memberIn(hierarchy(), device), steps);
}

ChunkSet ProgramTrace::chunksOf(Device device, int steps) const {
  return m_record->chunksOf(memberIn(hierarchy(), device), steps);
}

std::vector<SharedChunks> ProgramTrace::chunksOfDevices(int steps, IdRange<Device> devices) const {
  const std::vector<SharedChunks> ofMembers = m_record->chunksOfMembers(steps);
  std::vector<SharedChunks> chunks;
  chunks.reserve(static_cast<std::size_t>(devices.size()));
  for (const Device device : devices) {
    chunks.push_back(ofMembers[memberIn(hierarchy(), device).index()]);
  }
  return chunks;
}

std::vector<FoldedState> ProgramTrace::partsOf(Device device, int steps) const {
  return m_record->partsOf(memberIn(hierarchy(), device), steps);
}

std::int64_t ProgramTrace::mostRunsOf(Device device, int steps) const {
  return m_record->mostRunsOf(memberIn(hierarchy(), device), steps);
}

bool ProgramTrace::isExplicit() const { return !m_record->matrices.empty(); }

const DeviceState& ProgramTrace::matrixOf(Device device, int steps) const {
  return m_record->matrices[static_cast<std::size_t>(steps)][memberIn(hierarchy(), device).index()];
}

const std::vector<CompactState>& ProgramTrace::compactStates() const { return m_record->compactStates; }

}  // namespace p2::inline synthesis
