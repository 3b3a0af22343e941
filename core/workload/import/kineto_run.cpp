// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "text/json_stream.h"
#include "workload/import/json_pieces.h"
#include "workload/import/kineto_event.h"
#include "workload/import/run_readers.h"
#include "workload/import/torch_names.h"

namespace p2::inline workload {
namespace {

RunSlice sliceOf(const KinetoEvent& event) {
  RunSlice slice;
  slice.name = event.name;
  slice.device = event.device;
  slice.start = event.begin;
  slice.seconds = event.seconds;
  slice.communicates = event.communication.has_value() || isCommunicationKernel(event.name);
  slice.members = event.group.size;
  slice.group = event.group.description;
  if (!event.communication) {
    slice.kind = kernelKind(event.name);
    return slice;
  }
  const KinetoCommunication& stated = *event.communication;
  if (slice.group.empty()) slice.group = stated.group;
  slice.kind = torchKind(stated.collective);
  const auto each = torchTypeBytes(stated.dtype);
  if (!slice.kind || !each) return slice;
  const auto elements = fullElements(*slice.kind, stated.in, stated.out, std::max<std::int64_t>(1, slice.members));
  if (elements) slice.bytes = static_cast<double>(*elements) * static_cast<double>(*each);
  return slice;
}

std::int64_t rankOf(std::string_view head) {
  std::int64_t rank = -1;
  JsonStream in{std::string(head)};
  in.object("distributedInfo", [&](std::string_view key) {
    if (key == "rank")
      rank = in.whole(0, std::int64_t{1} << 31, "a rank");
    else
      in.skip();
  });
  return in.failed() ? -1 : rank;
}

/// A moment or span of a thread of the CPU.
struct ThreadSpan {
  std::int64_t process = 0;
  std::int64_t thread = 0;
  double begin = 0;
  double end = 0;
  std::string collective;

  [[nodiscard]] auto place() const { return std::tie(process, thread, begin); }
  [[nodiscard]] bool covers(const ThreadSpan& moment) const {
    return process == moment.process && thread == moment.thread && begin <= moment.begin && moment.begin <= end;
  }
};

/// "nccl:send 0->1" is send.
std::string namedCollective(std::string_view name) {
  name.remove_prefix(kNamingPrefix.size());
  return std::string(name.substr(0, name.find(' ')));
}

/// Kernels without a collective's name. Traces of older PyTorch versions have the name only in a span around the call
/// that launches the kernel.
class UnnamedKernels {
 public:
  void add(const KinetoEvent& event, std::size_t slice) {
    if (event.correlation >= 0) m_kernels.push_back({event.correlation, slice});
  }
  void addLaunch(const KinetoEvent& event) {
    if (event.correlation < 0 || m_launches.size() >= kMostRunSlices) return;
    m_launches[event.correlation] = {event.process, event.thread, event.begin, event.begin, {}};
  }
  void addNaming(const KinetoEvent& event) {
    if (m_namings.size() >= kMostRunSlices) return;
    m_namings.push_back(
        {event.process, event.thread, event.begin, event.begin + event.seconds, namedCollective(event.name)});
  }
  /// Gives each kernel the kind of the innermost span around its launch. O(n log n).
  void resolve(std::vector<RunSlice>& slices) {
    std::ranges::sort(m_namings, {}, &ThreadSpan::place);
    for (const auto& [correlation, slice] : m_kernels) {
      const auto launch = m_launches.find(correlation);
      if (launch == m_launches.end()) continue;
      if (const auto kind = kindAround(launch->second)) slices[slice].kind = kind;
    }
  }

 private:
  [[nodiscard]] std::optional<CommunicationKind> kindAround(const ThreadSpan& launch) const {
    constexpr std::ptrdiff_t kMostNested = 4;
    auto span = std::ranges::upper_bound(m_namings, launch.place(), {}, &ThreadSpan::place);
    for (std::ptrdiff_t depth = 0; depth < kMostNested && span != m_namings.begin(); ++depth) {
      --span;
      if (span->covers(launch)) {
        if (const auto kind = torchKind(span->collective)) return kind;
      }
    }
    return std::nullopt;
  }

  std::vector<std::pair<std::int64_t, std::size_t>> m_kernels;  // correlation and index of the slice
  std::unordered_map<std::int64_t, ThreadSpan> m_launches;
  std::vector<ThreadSpan> m_namings;
};

/// Collects the kernels of a trace.
class KinetoRun {
 public:
  [[nodiscard]] Result<void> add(std::string_view item) {
    ++m_events;
    const auto event = kinetoEventFrom(item);
    if (!event.ok()) return {};
    if (event->kind == KinetoEvent::Kind::Launch) m_unnamed.addLaunch(*event);
    if (event->kind == KinetoEvent::Kind::Naming) m_unnamed.addNaming(*event);
    if (event->kind != KinetoEvent::Kind::Kernel) return {};
    if (m_trace.slices.size() >= kMostRunSlices) {
      return Error{"more than 4,000,000 kernels; record fewer steps", {}, ErrorKind::TooLarge};
    }
    RunSlice slice = sliceOf(*event);
    if (slice.communicates && !event->communication) m_unnamed.add(*event, m_trace.slices.size());
    m_trace.slices.push_back(std::move(slice));
    return {};
  }
  void addHead(std::string_view value) { m_trace.rank = rankOf(value); }
  [[nodiscard]] Result<RunTrace> take() {
    if (m_events == 0)
      return Error{"it has no \"traceEvents\"; a trace of the PyTorch profiler is expected", "/traceEvents"};
    m_unnamed.resolve(m_trace.slices);
    return std::move(m_trace);
  }

 private:
  RunTrace m_trace;
  UnnamedKernels m_unnamed;
  std::int64_t m_events = 0;
};

}  // namespace

Result<std::vector<RunTrace>> readKinetoRun(ByteSource& source, const std::stop_token& stop) {
  KinetoRun run;
  JsonPieces pieces(
      "traceEvents",
      [&](std::string_view key, std::string_view value) -> Result<void> {
        if (key == "distributedInfo") run.addHead(value);
        return {};
      },
      [&](std::string_view item) { return run.add(item); });
  for (;;) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY_ASSIGN(const std::string_view bytes, source.next());
    if (bytes.empty()) break;
    P2_TRY(pieces.feed(bytes));
  }
  P2_TRY(pieces.finish());
  P2_TRY_ASSIGN(auto trace, run.take());
  return std::vector<RunTrace>{std::move(trace)};
}

}  // namespace p2::inline workload
