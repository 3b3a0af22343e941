// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/kineto_import.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "workload/import/import_notes.h"
#include "workload/import/rank_mesh.h"
#include "workload/import/torch_names.h"

namespace p2::inline workload {
namespace {

constexpr std::int64_t kMostWorld = std::int64_t{1} << 31;

/// A collective of the trace that can become an entry.
struct Candidate {
  const KinetoCommunication* communication = nullptr;
  const KinetoCollective* seen = nullptr;
  CommunicationKind kind = CommunicationKind::AllReduce;
  std::int64_t ranks = 0;
  std::int64_t bytes = 0;
  std::int64_t calls = 0;
};

class TraceImport {
 public:
  explicit TraceImport(const KinetoTrace& trace) : m_trace(trace) {}
  Result<WorkloadSource> import();

 private:
  void choose();
  [[nodiscard]] std::optional<Candidate> candidateOf(const KinetoCommunication& communication,
                                                     const KinetoCollective& seen);
  [[nodiscard]] std::optional<std::vector<RankBlock>> blocksOfGroup(const std::string& name, std::string& why) const;
  void findWorld();
  void place();
  void addEntry(const Candidate& candidate, const std::vector<std::string>& axes);
  void noteSteps();
  void leaveOut(const std::string& what) { m_source.ignored.push_back(what); }
  [[nodiscard]] const KinetoGroup& groupOf(const Candidate& candidate) const {
    return m_trace.groups.at(candidate.communication->group);
  }
  [[nodiscard]] std::int64_t timesOf(const KinetoCollective& seen) const { return m_asked ? seen.calls : seen.kernels; }

  const KinetoTrace& m_trace;
  bool m_asked = false;  // the trace has calls, not kernels alone
  std::int64_t m_steps = 1;
  std::int64_t m_world = 1;
  bool m_uneven = false;
  bool m_unmeasured = false;
  std::vector<Candidate> m_candidates;
  WorkloadSource m_source;
};

std::optional<Candidate> TraceImport::candidateOf(const KinetoCommunication& communication,
                                                  const KinetoCollective& seen) {
  const std::int64_t times = timesOf(seen);
  const std::string what = counted(times, "time") + " " + shownName(communication.collective);
  if (times == 0) return std::nullopt;
  const auto kind = torchKind(communication.collective);
  if (!kind) return leaveOut(what + ": no kind of a workload"), std::nullopt;
  const auto& group = m_trace.groups.at(communication.group);
  const std::int64_t ranks = group.size > 0 ? group.size : static_cast<std::int64_t>(group.ranks.size());
  if (ranks == 1) return leaveOut(what + ": its process group has one rank"), std::nullopt;
  if (ranks < 1) return leaveOut(what + ": the trace does not give its ranks"), std::nullopt;
  const auto width = torchTypeBytes(communication.dtype);
  if (!width) return leaveOut(what + ": the type \"" + shownName(communication.dtype) + "\" is unknown"), std::nullopt;
  const auto elements = fullElements(*kind, communication.in, communication.out, ranks);
  const auto bytes = elements ? checkedProduct(*elements, *width) : std::nullopt;
  if (!bytes || *bytes < 1) return leaveOut(what + ": of no bytes"), std::nullopt;
  return Candidate{&communication, &seen, *kind, ranks, *bytes, times};
}

void TraceImport::choose() {
  m_asked = m_trace.outsideCalls > 0 || std::any_of(m_trace.collectives.begin(), m_trace.collectives.end(),
                                                    [](const auto& row) { return row.second.calls > 0; });
  bool sends = false;
  for (const auto& [communication, seen] : m_trace.collectives) {
    sends = sends || (communication.collective == "send" && timesOf(seen) > 0);
  }
  std::int64_t received = 0;
  for (const auto& [communication, seen] : m_trace.collectives) {
    if (sends && communication.collective == "recv") {
      received += timesOf(seen);
      continue;
    }
    if (const auto candidate = candidateOf(communication, seen)) m_candidates.push_back(*candidate);
  }
  if (received > 0) leaveOut(counted(received, "receive") + ": the other ends of sends");
  // The collective that moves most decides the axes first.
  std::stable_sort(m_candidates.begin(), m_candidates.end(), [](const Candidate& a, const Candidate& b) {
    return static_cast<double>(a.bytes) * static_cast<double>(a.calls) >
           static_cast<double>(b.bytes) * static_cast<double>(b.calls);
  });
}

/// The places of its ranks, in blocks; else why they are not known.
std::optional<std::vector<RankBlock>> TraceImport::blocksOfGroup(const std::string& name, std::string& why) const {
  const KinetoGroup& group = m_trace.groups.at(name);
  if (!group.ranks.empty() && (group.size == 0 || static_cast<std::int64_t>(group.ranks.size()) == group.size)) {
    auto blocks = blocksOf(group.ranks);
    if (!blocks) why = "its ranks do not form a block of a mesh";
    return blocks;
  }
  if (group.size == m_world) return std::vector<RankBlock>{{1, m_world}};
  const bool reported = group.stride > 0 && group.size > 0 && group.start >= 0 && group.start < kMostWorld;
  if (reported && group.start / group.stride % group.size == 0)
    return std::vector<RankBlock>{{group.stride, group.size}};
  why = reported ? "its ranks do not form a block of a mesh" : "the trace does not give its ranks";
  return std::nullopt;
}

void TraceImport::findWorld() {
  m_world = m_trace.world;
  if (m_world >= 1) return;
  for (const Candidate& candidate : m_candidates) {
    const KinetoGroup& group = groupOf(candidate);
    m_world = std::max(m_world, candidate.ranks);
    for (const std::int64_t rank : group.ranks) m_world = std::max(m_world, std::min(rank, kMostWorld - 1) + 1);
  }
  m_source.assumed.push_back(counted(m_world, "rank") +
                             " in all: the trace does not say how many, and its process groups know no more");
}

void TraceImport::addEntry(const Candidate& candidate, const std::vector<std::string>& axes) {
  WorkloadEntry entry;
  const std::string description = shownName(groupOf(candidate).description);
  entry.name =
      (description == "?" ? std::string() : description + " ") + shownName(candidate.communication->collective);
  entry.axes = axes;
  entry.kind = candidate.kind;
  entry.bytes = candidate.bytes;
  entry.count = std::max<std::int64_t>(1, (candidate.calls + m_steps / 2) / m_steps);
  m_uneven = m_uneven || candidate.calls % m_steps != 0;
  entry.closed = candidate.kind != CommunicationKind::Shift;
  const KinetoCollective& seen = *candidate.seen;
  if (seen.kernelSeconds > 0) {
    const double share = std::clamp(seen.hiddenSeconds / seen.kernelSeconds, 0.0, 1.0);
    entry.overlap = {CommunicationOverlap::Extent::Fraction, std::round(share * 1000) / 1000};
  } else {
    m_unmeasured = true;
  }
  entry.formula = std::to_string(std::max(candidate.communication->in, candidate.communication->out)) + " × " +
                  shownName(candidate.communication->dtype);
  m_source.workload.collectives.push_back(std::move(entry));
}

void TraceImport::place() {
  RankMesh mesh(m_world);
  std::map<std::string, std::optional<std::vector<RankBlock>>> known;
  for (const Candidate& candidate : m_candidates) {
    const std::string& group = candidate.communication->group;
    if (known.count(group) > 0) continue;
    std::string why;
    auto blocks = blocksOfGroup(group, why);
    std::string name = axisNameFrom(groupOf(candidate).description);
    const bool alone = std::all_of(m_candidates.begin(), m_candidates.end(),
                                   [&](const Candidate& other) { return other.communication->group == group; });
    if (name.empty() && alone) name = "world";
    if (blocks && !mesh.add(name, *blocks)) {
      why = "it has no mesh in common with the groups that move more";
      blocks.reset();
    }
    if (!blocks) {
      leaveOut("process group \"" + shownName(group) + "\" (" + shownName(groupOf(candidate).description) + ", " +
               counted(candidate.ranks, "rank") + "): " + why);
    }
    known[group] = std::move(blocks);
  }
  m_source.workload.axes = mesh.axes();
  for (const Candidate& candidate : m_candidates) {
    const auto& blocks = known.at(candidate.communication->group);
    if (blocks) addEntry(candidate, mesh.axesOf(*blocks));
  }
}

void TraceImport::noteSteps() {
  auto& [workload, understood, assumed, ignored] = m_source;
  understood.push_back(counted(m_world, "rank") +
                       (m_trace.rank >= 0 ? ", seen by rank " + std::to_string(m_trace.rank) : ""));
  if (m_trace.steps > 0) {
    understood.push_back(counted(m_trace.steps, "step"));
  } else {
    assumed.push_back("the whole trace is one step: it has no ProfilerStep");
  }
  if (!m_asked) assumed.push_back("every kernel is one collective: the trace has no calls, only what ran on the GPU");
  if (m_uneven) assumed.push_back("counts that differ from step to step: their mean, rounded");
  if (m_unmeasured) assumed.push_back("nothing is hidden where the trace has calls but no kernels");
  if (m_trace.outsideCalls > 0) ignored.push_back(counted(m_trace.outsideCalls, "collective") + " outside the steps");
  if (m_trace.outsideKernels > 0) {
    ignored.push_back(counted(m_trace.outsideKernels, "kernel") + " that communicate outside NCCL, for " +
                      formatSeconds(m_trace.outsideSeconds) + ": " + shownName(m_trace.firstOutside) +
                      (m_trace.outsideKernels > 1 ? " and others" : "") +
                      "; the trace does not give their bytes, and they are not computation");
  }
  if (const auto others = m_trace.namelessKernels - m_trace.outsideKernels; others > 0) {
    ignored.push_back(counted(others, "communication kernel") + " without bytes in the trace");
  }
  if (m_trace.unreadEvents > 0) {
    ignored.push_back(counted(m_trace.unreadEvents, "event") +
                      " that cannot be read: " + shownName(m_trace.firstProblem));
  }
}

Result<WorkloadSource> TraceImport::import() {
  const std::string& backend = m_trace.backend;
  if (m_trace.collectives.empty() && !backend.empty() && backend.find("nccl") == std::string::npos) {
    return Error{"the trace was recorded with " + shownName(backend) +
                 ", whose events have no bytes; record it with NCCL or RCCL"};
  }
  if (m_trace.collectives.empty()) {
    return Error{
        "the trace does not say what its collectives move (\"Collective name\", \"In msg nelems\"); record it with "
        "PyTorch 2.3 or later, on a job of several ranks"};
  }
  m_steps = std::max<std::int64_t>(1, m_trace.steps);
  choose();
  findWorld();
  if (m_world >= kMostWorld) return Error{"a world of " + countedText(m_world, "rank") + "; at most 2^31 are read"};
  place();
  noteSteps();
  Workload& workload = m_source.workload;
  if (workload.collectives.empty()) {
    const std::string first = m_source.ignored.empty() ? "" : " (" + m_source.ignored.front() + ")";
    return Error{"none of the trace's collectives can be placed on a mesh of ranks" + first};
  }
  workload.name = "PyTorch trace";
  if (m_trace.computeSeconds > 0) {
    workload.computeSeconds = m_trace.computeSeconds / static_cast<double>(m_steps);
    m_source.understood.push_back("computation in " + formatSeconds(*workload.computeSeconds) + " of a step");
    m_source.assumed.push_back("a collective's time begins with its kernel, which also waits for the other ranks");
  }
  return std::move(m_source);
}

}  // namespace

Result<WorkloadSource> workloadOfTrace(const KinetoTrace& trace) { return TraceImport(trace).import(); }

}  // namespace p2::inline workload
