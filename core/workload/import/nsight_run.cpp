// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>
#include <set>

#include "base/helper_program.h"
#include "text/json_stream.h"
#include "workload/import/kineto_event.h"
#include "workload/import/run_readers.h"

namespace p2::inline workload {
namespace {

constexpr double kMostSeconds = 60;
constexpr std::size_t kMostMemory = std::size_t{2} << 30;

constexpr std::string_view kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";

// Columns of the table of kernels, and the table of graphs if it is there.
constexpr const char* kColumns =
    "SELECT name FROM pragma_table_info('CUPTI_ACTIVITY_KIND_KERNEL') "
    "UNION ALL SELECT name FROM sqlite_master WHERE name = 'CUPTI_ACTIVITY_KIND_GRAPH_TRACE';";

/// Versions of the exporter differ in their columns, and globalPid may be empty (schema 3.25). Times are nanoseconds.
std::string kernelQuery(const std::set<std::string>& columns) {
  const char* process = columns.count("globalPid") > 0 ? "COALESCE(k.globalPid, 0)" : "0";
  const char* name = columns.count("shortName") > 0 ? "k.shortName" : "k.demangledName";
  return "SELECT k.start AS start, k.\"end\" AS stop, k.deviceId AS device, " + std::string(process) +
         " AS process, s.value AS name FROM CUPTI_ACTIVITY_KIND_KERNEL AS k JOIN StringIds AS s ON s.id = " + name +
         " WHERE k.\"end\" >= k.start ORDER BY k.start LIMIT 4000001;";
}

struct NsightKernel {
  std::int64_t process = 0;
  RunSlice slice;
};

NsightKernel kernelFrom(JsonStream& in) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  NsightKernel kernel;
  double stop = 0;
  in.object("a kernel", [&](std::string_view key) {
    if (key == "start")
      kernel.slice.start = in.number("a start in nanoseconds") * 1e-9;
    else if (key == "stop")
      stop = in.number("an end in nanoseconds") * 1e-9;
    else if (key == "device")
      kernel.slice.device = in.whole(0, 1 << 20, "a device");
    else if (key == "process")
      kernel.process = in.whole(0, kMost, "a process");
    else if (key == "name")
      kernel.slice.name = in.text("a kernel's name");
    else
      in.skip();
  });
  kernel.slice.seconds = std::max(0.0, stop - kernel.slice.start);
  kernel.slice.communicates = isCommunicationKernel(kernel.slice.name);
  kernel.slice.kind = kernelKind(kernel.slice.name);
  return kernel;
}

Result<std::string> asked(const std::string& path, const std::string& query, const std::stop_token& stop) {
  HelperCall call;
  call.program = "sqlite3";
  call.package = "sqlite3";
  call.arguments = {"-readonly", "-safe", "-json", path, query};
  call.library = "sqlite3";
  call.seconds = kMostSeconds;
  call.memory = kMostMemory;
  P2_TRY_ASSIGN(auto answer, askHelper(call, stop));
  return answer.output;
}

bool isBlank(const std::string& text) { return text.find_first_not_of(" \n\r\t") == std::string::npos; }

/// The columns of the table of kernels; an error where they are not enough.
Result<std::set<std::string>> kernelColumns(const std::string& path, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const std::string listed, asked(path, kColumns, stop));
  std::set<std::string> columns;
  JsonStream in(listed, stop);
  if (!isBlank(listed)) {
    in.list("columns", [&](std::size_t) {
      in.object("a column", [&](std::string_view) { columns.insert(in.text("a column's name")); });
    });
    in.finish();
    if (in.failed()) return in.problem();
  }
  const bool graphs = columns.erase(std::string(kGraphs)) > 0;
  if (columns.empty() && graphs)
    return Error{"it has CUDA graphs as a whole and no kernels; record with nsys profile --cuda-graph-trace=node"};
  if (columns.empty()) return Error{"it has no kernels; export the report with nsys export --type sqlite"};
  for (const char* needed : {"start", "end", "deviceId"}) {
    if (columns.count(needed) == 0)
      return Error{"its table of kernels has no column " + std::string(needed) +
                   ", which every export of Nsight Systems has"};
  }
  if (columns.count("shortName") + columns.count("demangledName") == 0)
    return Error{"its table of kernels has no names (shortName)"};
  return columns;
}

}  // namespace

Result<std::vector<RunTrace>> readNsightRun(const std::string& path, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto columns, kernelColumns(path, stop));
  P2_TRY_ASSIGN(const std::string answer, asked(path, kernelQuery(columns), stop));
  if (isBlank(answer)) return Error{"no kernel ran while it was recorded"};
  // A process is a rank; one that drives several devices is a rank for each of them.
  std::map<std::pair<std::int64_t, std::int64_t>, RunTrace> traces;
  std::size_t slices = 0;
  JsonStream in(answer, stop);
  in.list("kernels", [&](std::size_t) {
    NsightKernel kernel = kernelFrom(in);
    ++slices;
    traces[{kernel.process, kernel.slice.device}].slices.push_back(std::move(kernel.slice));
  });
  in.finish();
  if (in.failed()) return in.problem();
  if (slices > kMostRunSlices) return Error{"more than 4,000,000 kernels; record fewer steps", {}, ErrorKind::TooLarge};
  std::vector<RunTrace> all;
  for (auto& [key, trace] : traces) all.push_back(std::move(trace));
  return all;
}

}  // namespace p2::inline workload
