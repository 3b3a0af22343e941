// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/run_trace.h"

#include <algorithm>
#include <array>
#include <utility>

#include "workload/import/run_readers.h"

namespace p2::inline workload {
namespace {

constexpr std::string_view kSqliteHead = "SQLite format 3";

Error unknownRun() {
  return Error{
      "this is not a trace of a run; use a trace of the PyTorch profiler, an SQLite export of Nsight Systems or the "
      "JSON "
      "lines of NCCL's Inspector"};
}

}  // namespace

std::optional<CommunicationKind> kernelKind(std::string_view kernel) {
  // Not SendRecv: shifts and AllToAll run as kernels of that name, and so does any collective in older versions.
  constexpr std::array<std::pair<std::string_view, CommunicationKind>, 6> kNames{
      {{"AllReduce", CommunicationKind::AllReduce},
       {"ReduceScatter", CommunicationKind::ReduceScatter},
       {"AllGather", CommunicationKind::AllGather},
       {"Broadcast", CommunicationKind::Broadcast},
       {"AllToAll", CommunicationKind::AllToAll},
       {"Reduce_", CommunicationKind::Reduce}}};
  if (kernel.find("nccl") == std::string_view::npos && kernel.find("rccl") == std::string_view::npos)
    return std::nullopt;
  for (const auto& [name, kind] : kNames) {
    if (kernel.find(name) != std::string_view::npos) return kind;
  }
  return std::nullopt;
}

Result<std::vector<RunTrace>> readRunTraces(const std::string& path, const std::stop_token& stop) {
  std::string beginning;
  {
    P2_TRY_ASSIGN(const auto head, openFile(path));
    P2_TRY_ASSIGN(const std::string_view bytes, head->next().within(path));
    beginning = bytes.substr(0, std::size_t{1} << 16);
  }
  const auto holds = [&](std::string_view part) { return beginning.find(part) != std::string::npos; };
  P2_TRY_ASSIGN(const auto source, openFile(path));
  auto traces = beginning.starts_with(kSqliteHead)                ? readNsightRun(path, stop)
                : holds("\"coll_perf\"") || holds("\"p2p_perf\"") ? readInspectorRun(*source, stop)
                : holds("traceEvents") || holds("distributedInfo") || holds("schemaVersion")
                    ? readKinetoRun(*source, stop)
                    : Result<std::vector<RunTrace>>(unknownRun());
  if (!traces.ok()) return std::move(traces).within(path);
  for (RunTrace& trace : traces.value()) {
    std::stable_sort(trace.slices.begin(), trace.slices.end(),
                     [](const RunSlice& a, const RunSlice& b) { return a.start < b.start; });
  }
  return traces;
}

}  // namespace p2::inline workload
