// SPDX-License-Identifier: GPL-3.0-or-later
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
  const KinetoCommunication& said = *event.communication;
  if (slice.group.empty()) slice.group = said.group;
  slice.kind = torchKind(said.collective);
  const auto each = torchTypeBytes(said.dtype);
  if (!slice.kind || !each) return slice;
  const auto elements = fullElements(*slice.kind, said.in, said.out, std::max<std::int64_t>(1, slice.members));
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

}  // namespace

Result<std::vector<RunTrace>> readKinetoRun(ByteSource& source, const std::stop_token& stop) {
  RunTrace trace;
  std::int64_t events = 0;
  JsonPieces pieces(
      "traceEvents",
      [&](std::string_view key, std::string_view value) -> Result<void> {
        if (key == "distributedInfo") trace.rank = rankOf(value);
        return {};
      },
      [&](std::string_view item) -> Result<void> {
        ++events;
        const auto event = kinetoEventFrom(item);
        if (!event.ok() || event->kind != KinetoEvent::Kind::Kernel) return {};
        if (trace.slices.size() >= kMostRunSlices) {
          return Error{"more than 4,000,000 kernels; record fewer steps", {}, ErrorKind::TooLarge};
        }
        trace.slices.push_back(sliceOf(*event));
        return {};
      });
  for (;;) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY_ASSIGN(const std::string_view bytes, source.next());
    if (bytes.empty()) break;
    P2_TRY(pieces.feed(bytes));
  }
  P2_TRY(pieces.finish());
  if (events == 0)
    return Error{"it has no \"traceEvents\"; a trace of the PyTorch profiler is expected", "/traceEvents"};
  return std::vector<RunTrace>{std::move(trace)};
}

}  // namespace p2::inline workload
