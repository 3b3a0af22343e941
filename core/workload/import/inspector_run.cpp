// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <map>

#include "text/json_stream.h"
#include "workload/import/run_readers.h"

namespace p2::inline workload {
namespace {

constexpr double kMostMicroseconds = 1e13;

/// One line of the Inspector: the end of a collective on a rank.
struct InspectorLine {
  std::int64_t rank = -1;
  std::int64_t members = 0;
  std::string communicator;
  std::string host;
  std::string collective;
  double bytes = 0;
  double microseconds = -1;
  double dumped = 0;  ///< microseconds since 1970, when the line was written
};

double amount(JsonStream& in, const char* what) {
  const double value = in.number(what);
  return std::isfinite(value) && value >= 0 ? value : 0;
}

void readPart(JsonStream& in, std::string_view part, InspectorLine& line) {
  if (in.kind() != JsonStream::Kind::Object) return in.skip();
  in.object("an object", [&](std::string_view key) {
    if (part == "header" && key == "rank")
      line.rank = in.whole(0, std::int64_t{1} << 31, "a rank");
    else if (part == "header" && key == "n_ranks")
      line.members = in.whole(1, std::int64_t{1} << 31, "a number of ranks");
    else if (part == "header" && key == "id")
      line.communicator = in.text("a communicator");
    else if (part == "metadata" && key == "hostname")
      line.host = in.text("a host");
    else if (part == "metadata" && key == "dump_timestamp_us")
      line.dumped = amount(in, "a time in microseconds");
    else if (part == "coll_perf" && key == "coll")
      line.collective = in.text("a collective");
    else if (part == "coll_perf" && key == "coll_msg_size_bytes")
      line.bytes = amount(in, "bytes");
    else if (part == "coll_perf" && key == "coll_exec_time_us")
      line.microseconds = amount(in, "microseconds");
    else
      in.skip();
  });
}

Result<InspectorLine> lineFrom(std::string_view text) {
  InspectorLine line;
  JsonStream in{std::string(text)};
  in.object("a line of the Inspector", [&](std::string_view key) { readPart(in, key, line); });
  in.finish();
  if (in.failed()) return in.problem();
  return line;
}

/// Lines say when they were written, in the order of their ends; the ends of a rank follow one another.
class InspectorRun {
 public:
  Result<void> add(std::string_view text, std::int64_t number) {
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return {};
    auto line = lineFrom(text);
    if (!line.ok()) return line.error().within("line " + std::to_string(number));
    // Messages between pairs and other records have no collective.
    if (line->collective.empty() || line->microseconds < 0 || line->microseconds > kMostMicroseconds) return {};
    if (++m_slices > kMostRunSlices) return Error{"more than 4,000,000 collectives", {}, ErrorKind::TooLarge};
    RunTrace& trace = m_traces[{line->rank, line->host}];
    trace.rank = line->rank;
    trace.host = line->host;
    RunSlice slice;
    slice.name = line->collective;
    slice.communicates = true;
    if (const auto kind = communicationKindFrom(line->collective); kind.ok()) slice.kind = *kind;
    slice.seconds = line->microseconds * 1e-6;
    slice.start = trace.slices.empty() ? 0 : trace.slices.back().start + trace.slices.back().seconds;
    slice.bytes = line->bytes;
    slice.members = line->members;
    slice.group = line->communicator;
    trace.slices.push_back(std::move(slice));
    return {};
  }
  std::vector<RunTrace> take() {
    std::vector<RunTrace> traces;
    for (auto& [key, trace] : m_traces) traces.push_back(std::move(trace));
    return traces;
  }

 private:
  std::map<std::pair<std::int64_t, std::string>, RunTrace> m_traces;
  std::size_t m_slices = 0;
};

}  // namespace

Result<std::vector<RunTrace>> readInspectorRun(ByteSource& source, const std::stop_token& stop) {
  constexpr std::size_t kMostLine = std::size_t{1} << 22;
  InspectorRun run;
  std::string line;
  std::int64_t number = 1;
  for (;;) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY_ASSIGN(std::string_view bytes, source.next());
    if (bytes.empty()) break;
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      line += bytes.substr(0, end);
      P2_TRY(run.add(line, number++));
      line.clear();
      bytes.remove_prefix(end + 1);
    }
    line += bytes;
    if (line.size() > kMostLine) return Error{"line " + std::to_string(number) + " is longer than 4 MiB"};
  }
  P2_TRY(run.add(line, number));
  auto traces = run.take();
  if (traces.empty()) return Error{"no line has a \"coll_perf\" with a collective"};
  return traces;
}

}  // namespace p2::inline workload
