// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "text/json_stream.h"
#include "workload/import/run_readers.h"

namespace p2::inline workload {
namespace {

constexpr double kMostMicroseconds = 1e13;

/// Texts of a file that return line after line, each kept once. Number 0 is the empty text.
class InspectorNames {
 public:
  [[nodiscard]] std::uint32_t numberOf(const std::string& text) {
    const auto [known, isNew] = m_numbers.try_emplace(text, static_cast<std::uint32_t>(m_texts.size()));
    if (isNew) m_texts.push_back(&known->first);
    return known->second;
  }
  [[nodiscard]] const std::string& text(std::uint32_t number) const { return *m_texts[number]; }

 private:
  std::map<std::string, std::uint32_t> m_numbers{{"", 0}};
  std::vector<const std::string*> m_texts{&m_numbers.begin()->first};
};

/// One line of the Inspector: the end of a collective on a rank. Its texts are numbers of InspectorNames, since a file
/// may have millions of lines.
struct InspectorLine {
  std::int64_t rank = -1;
  std::int64_t members = 0;
  std::uint32_t communicator = 0;
  std::uint32_t host = 0;
  std::uint32_t collective = 0;
  std::int64_t process = -1;  ///< process id on the host
  std::int64_t number = -1;   ///< sequence number in the communicator
  double bytes = 0;           ///< message size as NCCL logs it
  double bandwidth = 0;       ///< algorithm bandwidth, bytes/s; 0 where not known
  double microseconds = -1;
  double began = -1;  ///< start of the first kernel in microseconds since 1970; only in verbose logs
};

double amount(JsonStream& in, const char* what) {
  const double value = in.number(what);
  return std::isfinite(value) && value >= 0 ? value : 0;
}

void readEvents(JsonStream& in, InspectorLine& line) {
  in.object("times", [&](std::string_view list) {
    if (list != "kernel_events" || in.kind() != JsonStream::Kind::List) return in.skip();
    in.list("kernels", [&](std::size_t) {
      in.object("a kernel", [&](std::string_view key) {
        if (key != "kernel_start_ts") return in.skip();
        const double began = amount(in, "a time in microseconds");
        if (began > 0 && (line.began < 0 || began < line.began)) line.began = began;
      });
    });
  });
}

/// Rank and process of a line, from its parts "header" and "metadata" or, in flattened logs, from the line itself.
/// False for other keys.
bool readOrigin(JsonStream& in, std::string_view key, InspectorNames& names, InspectorLine& line) {
  if (key == "rank")
    line.rank = in.whole(0, std::int64_t{1} << 31, "a rank");
  else if (key == "n_ranks")
    line.members = in.whole(1, std::int64_t{1} << 31, "a number of ranks");
  else if (key == "id")
    line.communicator = names.numberOf(in.text("a communicator"));
  else if (key == "hostname")
    line.host = names.numberOf(in.text("a host"));
  else if (key == "pid")
    line.process = in.whole(0, std::int64_t{1} << 40, "a process");
  else
    return false;
  return true;
}

void readCollective(JsonStream& in, std::string_view key, InspectorNames& names, InspectorLine& line) {
  if (key == "coll")
    line.collective = names.numberOf(in.text("a collective"));
  else if (key == "coll_sn")
    line.number = in.whole(0, std::numeric_limits<std::int64_t>::max(), "a number of a collective");
  else if (key == "coll_algobw_gbs")
    line.bandwidth = amount(in, "a bandwidth in GB/s") * 1e9;
  else if (key == "event_trace_ts" && in.kind() == JsonStream::Kind::Object)
    readEvents(in, line);
  else if (key == "coll_msg_size_bytes")
    line.bytes = amount(in, "bytes");
  else if (key == "coll_exec_time_us")
    line.microseconds = amount(in, "microseconds");
  else
    in.skip();
}

void readPart(JsonStream& in, std::string_view part, InspectorNames& names, InspectorLine& line) {
  const bool isObject = in.kind() == JsonStream::Kind::Object;
  if (isObject && part == "coll_perf") {
    in.object("an object", [&](std::string_view key) { readCollective(in, key, names, line); });
  } else if (isObject && (part == "header" || part == "metadata")) {
    in.object("an object", [&](std::string_view key) {
      if (!readOrigin(in, key, names, line)) in.skip();
    });
  } else if (!readOrigin(in, part, names, line)) {
    in.skip();
  }
}

Result<InspectorLine> lineFrom(std::string_view text, InspectorNames& names) {
  InspectorLine line;
  JsonStream in{std::string(text)};
  in.object("a line of the Inspector", [&](std::string_view key) { readPart(in, key, names, line); });
  in.finish();
  if (in.failed()) return in.problem();
  return line;
}

/// Bytes of the full tensor. NCCL logs one rank's part as the message of AllGather and ReduceScatter, and computes the
/// bandwidth from the whole.
double fullBytes(const InspectorLine& line, std::optional<CommunicationKind> kind) {
  const double whole = line.bytes * static_cast<double>(std::max<std::int64_t>(1, line.members));
  const double moved = line.bandwidth * line.microseconds * 1e-6;
  const bool parts = kind == CommunicationKind::AllGather || kind == CommunicationKind::ReduceScatter;
  if (moved <= 0) return parts ? whole : line.bytes;
  return std::abs(std::log(moved / whole)) < std::abs(std::log(moved / line.bytes)) ? whole : line.bytes;
}

RunSlice sliceFrom(const InspectorLine& line, const InspectorNames& names) {
  RunSlice slice;
  slice.name = names.text(line.collective);
  slice.communicates = true;
  if (const auto kind = communicationKindFrom(slice.name); kind.ok()) slice.kind = *kind;
  slice.seconds = line.microseconds * 1e-6;
  slice.bytes = line.bytes > 0 ? fullBytes(line, slice.kind) : 0;
  slice.members = line.members;
  slice.group = names.text(line.communicator);
  slice.number = line.number;
  return slice;
}

/// Collects the lines of one GPU's process, in the order of their ends. A line's rank is local to its communicator;
/// the largest communicator gives the rank of the process.
class InspectorProcess {
 public:
  /// To be called for every line before the first is added.
  void expectLine() { ++m_expected; }
  void add(const InspectorLine& line, const InspectorNames& names) {
    if (line.members > m_members) {
      m_members = line.members;
      m_trace.rank = line.rank;
    }
    m_trace.host = names.text(line.host);
    m_trace.slices.reserve(m_expected);
    RunSlice slice = sliceFrom(line, names);
    if (line.began > 0 && m_origin < 0 && m_trace.slices.empty()) m_origin = line.began;
    slice.start = m_origin >= 0 && line.began > 0 ? (line.began - m_origin) * 1e-6 : m_end;
    m_end = std::max(m_end, slice.start + slice.seconds);
    m_trace.slices.push_back(std::move(slice));
  }
  RunTrace take() { return std::move(m_trace); }

 private:
  RunTrace m_trace;
  std::size_t m_expected = 0;
  std::int64_t m_members = 0;
  double m_origin = -1;  // microseconds since 1970
  double m_end = 0;
};

class InspectorRun {
 public:
  Result<void> add(std::string_view text, std::int64_t number) {
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return {};
    auto line = lineFrom(text, m_names);
    if (!line.ok()) return line.error().within("line " + std::to_string(number));
    // Messages between pairs and other records have no collective.
    if (line->collective == 0 || line->microseconds < 0 || line->microseconds > kMostMicroseconds) return {};
    if (m_lines.size() >= kMostRunSlices) return Error{"more than 4,000,000 collectives", {}, ErrorKind::TooLarge};
    m_lines.push_back(std::move(line).value());
    return {};
  }
  std::vector<RunTrace> take() {
    const std::set<Process> shared = sharedProcesses();
    std::map<std::tuple<std::string, std::int64_t, std::int64_t>, InspectorProcess> processes;
    const auto processOf = [&](const InspectorLine& line) -> InspectorProcess& {
      const bool isShared = shared.contains({line.host, line.process});
      return processes[{m_names.text(line.host), line.process, isShared ? line.rank : -1}];
    };
    for (const InspectorLine& line : m_lines) processOf(line).expectLine();
    for (const InspectorLine& line : m_lines) processOf(line).add(line, m_names);
    std::vector<RunTrace> traces;
    for (auto& [key, process] : processes) traces.push_back(process.take());
    std::ranges::stable_sort(traces, {}, &RunTrace::rank);
    return traces;
  }

 private:
  using Process = std::pair<std::uint32_t, std::int64_t>;

  /// Processes with several ranks in one communicator (nccl-tests -g 8), and lines without a process.
  [[nodiscard]] std::set<Process> sharedProcesses() const {
    std::map<std::pair<Process, std::uint32_t>, std::int64_t> ranks;
    std::set<Process> shared;
    for (const InspectorLine& line : m_lines) {
      const Process process{line.host, line.process};
      const auto [first, isNew] = ranks.try_emplace({process, line.communicator}, line.rank);
      if (line.process < 0 || first->second != line.rank) shared.insert(process);
    }
    return shared;
  }

  InspectorNames m_names;
  std::vector<InspectorLine> m_lines;
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
