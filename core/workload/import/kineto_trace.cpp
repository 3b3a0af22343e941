// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/kineto_trace.h"

#include <algorithm>
#include <limits>

#include "text/json_stream.h"
#include "workload/import/json_pieces.h"
#include "workload/workload.h"

namespace p2::inline workload {
namespace {

constexpr std::size_t kMostKernels = 50'000'000;

struct MomentOf {
  KinetoCollective* collective = nullptr;
  TimeSpan span;
};

/// Collects events in the order of the file, which is none of time; what depends on where the steps are waits.
class Collector {
 public:
  Result<void> addMember(std::string_view key, std::string_view value);
  Result<void> addItem(std::string_view item);
  Result<KinetoTrace> trace();
  [[nodiscard]] bool sawEvents() const { return m_events; }

 private:
  void takeHead(std::string_view value);
  Result<void> take(const KinetoEvent& event);
  Result<void> takeKernel(const KinetoEvent& event);
  Result<KinetoCollective*> collectiveOf(const KinetoEvent& event);
  void learn(const std::string& name, const KinetoGroup& group);

  KinetoTrace m_trace;
  bool m_events = false;
  std::vector<TimeSpan> m_steps;
  std::vector<MomentOf> m_calls;
  std::vector<MomentOf> m_kernels;  // that communicate
  std::vector<TimeSpan> m_computing;
  std::set<std::int64_t> m_processes;  // that call
  std::set<std::int64_t> m_devices;    // that communicate
};

/// More of a group than is known: the trace's head has all ranks, events sometimes only the first and their distance.
void Collector::learn(const std::string& name, const KinetoGroup& group) {
  KinetoGroup& known = m_trace.groups[name];
  if (known.description.empty()) known.description = group.description;
  if (known.ranks.empty()) known.ranks = group.ranks;
  if (known.size == 0) known.size = group.size;
  if (known.stride == 0) {
    known.start = group.start;
    known.stride = group.stride;
  }
}

/// "distributedInfo".
void Collector::takeHead(std::string_view value) {
  JsonStream in{std::string(value)};
  constexpr std::int64_t kMostListedRank = std::int64_t{1} << 31;
  const auto group = [&] {
    std::string name;
    KinetoGroup known;
    in.object("a process group", [&](std::string_view key) {
      if (key == "pg_name") {
        name = in.text("the name of a process group");
      } else if (key == "pg_desc") {
        known.description = in.text("the description of a process group");
      } else if (key == "pg_size") {
        known.size = in.whole(0, kMostListedRank, "the size of a process group");
      } else if (key == "ranks" && in.kind() == JsonStream::Kind::List) {
        in.list("ranks", [&](std::size_t) { known.ranks.push_back(in.whole(0, kMostListedRank, "a rank")); });
      } else {
        in.skip();
      }
    });
    if (!in.failed()) learn(name, known);
  };
  in.object("distributedInfo", [&](std::string_view key) {
    if (key == "rank") {
      m_trace.rank = in.whole(0, kMostListedRank, "a rank");
    } else if (key == "world_size") {
      m_trace.world = in.whole(0, kMostListedRank, "the number of ranks");
    } else if (key == "backend" && in.kind() == JsonStream::Kind::Text) {
      m_trace.backend = in.text("the backend of collectives");
    } else if (key == "pg_config" && in.kind() == JsonStream::Kind::List) {
      in.list("process groups", [&](std::size_t) { group(); });
    } else {
      in.skip();
    }
  });
}

Result<void> Collector::addMember(std::string_view key, std::string_view value) {
  if (key == "distributedInfo") takeHead(value);
  return {};
}

Result<void> Collector::addItem(std::string_view item) {
  m_events = true;
  const auto event = kinetoEventFrom(item);
  if (!event.ok()) {
    if (m_trace.unreadEvents++ == 0) m_trace.firstProblem = event.error().text();
    return {};
  }
  return take(*event);
}

Result<KinetoCollective*> Collector::collectiveOf(const KinetoEvent& event) {
  if (m_trace.collectives.size() >= kMostWorkloadEntries && m_trace.collectives.count(*event.communication) == 0) {
    return Error{"more than 100000 different collectives; record fewer steps", {}, ErrorKind::TooLarge};
  }
  learn(event.communication->group, event.group);
  return &m_trace.collectives[*event.communication];
}

Result<void> Collector::take(const KinetoEvent& event) {
  const TimeSpan span{event.begin, event.begin + event.seconds};
  switch (event.kind) {
    case KinetoEvent::Kind::Other:
    case KinetoEvent::Kind::Launch:
    case KinetoEvent::Kind::Naming:
      return {};
    case KinetoEvent::Kind::Step:
      m_steps.push_back(span);
      return {};
    case KinetoEvent::Kind::Kernel:
      return takeKernel(event);
    case KinetoEvent::Kind::Call:
      break;
  }
  if (!event.communication) return {};
  m_processes.insert(event.process);
  P2_TRY_ASSIGN(KinetoCollective* const collective, collectiveOf(event));
  m_calls.push_back({collective, span});
  if (m_calls.size() > kMostKernels) return Error{"more than 50 million calls; record fewer steps"};
  return {};
}

Result<void> Collector::takeKernel(const KinetoEvent& event) {
  const TimeSpan span{event.begin, event.begin + event.seconds};
  if (m_computing.size() + m_kernels.size() >= kMostKernels) {
    return Error{"more than 50 million kernels; record fewer steps", {}, ErrorKind::TooLarge};
  }
  if (!event.communication && !isCommunicationKernel(event.name)) {
    m_computing.push_back(span);
    return {};
  }
  m_devices.insert(event.device);
  if (!event.communication) {
    ++m_trace.namelessKernels;
    if (event.name.find("nccl") == std::string::npos && event.name.find("rccl") == std::string::npos) {
      ++m_trace.outsideKernels;
      m_trace.outsideSeconds += event.seconds;
      if (m_trace.firstOutside.empty()) m_trace.firstOutside = event.name;
    }
    return {};
  }
  P2_TRY_ASSIGN(KinetoCollective* const collective, collectiveOf(event));
  m_kernels.push_back({collective, span});
  return {};
}

Result<KinetoTrace> Collector::trace() {
  if (m_processes.size() > 1 || m_devices.size() > 1) {
    const bool processes = m_processes.size() > 1;
    return Error{"it holds the traces of " + std::to_string(processes ? m_processes.size() : m_devices.size()) +
                 (processes ? " processes" : " GPUs") + "; import the trace of one rank"};
  }
  double first = -std::numeric_limits<double>::infinity();
  double last = -first;
  m_trace.steps = static_cast<std::int64_t>(m_steps.size());
  if (!m_steps.empty()) {
    first = std::ranges::min(m_steps, {}, &TimeSpan::begin).begin;
    last = std::ranges::max(m_steps, {}, &TimeSpan::end).end;
  }
  for (const MomentOf& call : m_calls) {
    const bool inside = call.span.begin >= first && call.span.begin <= last;
    ++(inside ? call.collective->calls : m_trace.outsideCalls);
  }
  std::erase_if(m_computing, [&](const TimeSpan& span) { return span.begin < first; });
  const auto computing = unionOf(std::move(m_computing));
  m_trace.computeSeconds = lengthOf(computing);
  for (const MomentOf& kernel : m_kernels) {
    // Work of the GPU left over when the steps began belongs to no step; behind the last it is late, not foreign.
    if (kernel.span.begin < first) continue;
    ++kernel.collective->kernels;
    kernel.collective->kernelSeconds += kernel.span.end - kernel.span.begin;
    kernel.collective->hiddenSeconds += lengthWithin(kernel.span, computing);
  }
  return std::move(m_trace);
}

}  // namespace

Result<KinetoTrace> readKinetoTrace(ByteSource& source, const std::stop_token& stop, const Progress& progress) {
  Collector collector;
  JsonPieces pieces(
      "traceEvents", [&](std::string_view key, std::string_view value) { return collector.addMember(key, value); },
      [&](std::string_view item) { return collector.addItem(item); });
  for (;;) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY_ASSIGN(const std::string_view bytes, source.next());
    if (bytes.empty()) break;
    P2_TRY(pieces.feed(bytes));
    if (progress) progress(source.done());
  }
  P2_TRY(pieces.finish());
  if (!collector.sawEvents()) {
    return Error{"it has no \"traceEvents\"; a trace of the PyTorch profiler is expected", "/traceEvents"};
  }
  return collector.trace();
}

}  // namespace p2::inline workload
