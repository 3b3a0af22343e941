// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "base/helper_program.h"
#include "text/json_stream.h"
#include "workload/import/kineto_event.h"
#include "workload/import/run_readers.h"

namespace p2::inline workload {
namespace {

constexpr double kMostSeconds = 60;
constexpr std::size_t kMostMemory = std::size_t{2} << 30;

// One process of the machine is one rank. Times are nanoseconds.
constexpr const char* kKernels =
    "SELECT k.start AS start, k.end AS stop, k.deviceId AS device, k.globalPid AS process, s.value AS name "
    "FROM CUPTI_ACTIVITY_KIND_KERNEL AS k JOIN StringIds AS s ON s.id = k.shortName "
    "WHERE k.end >= k.start ORDER BY k.start LIMIT 4000001;";

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

}  // namespace

Result<std::vector<RunTrace>> readNsightRun(const std::string& path, const std::stop_token& stop) {
  HelperCall call;
  call.program = "sqlite3";
  call.package = "sqlite3";
  call.arguments = {"-readonly", "-safe", "-json", path, kKernels};
  call.library = "sqlite3";
  call.seconds = kMostSeconds;
  call.memory = kMostMemory;
  auto answer = askHelper(call, stop);
  if (!answer.ok()) {
    if (answer.error().text().find("no such table") == std::string::npos) return answer.error();
    return Error{"it has no kernels; export the report with nsys export --type sqlite"};
  }
  std::map<std::int64_t, RunTrace> traces;
  std::size_t slices = 0;
  JsonStream in(answer->output, stop);
  if (answer->output.find_first_not_of(" \n\r\t") == std::string::npos)
    return Error{"no kernel ran while it was recorded"};
  in.list("kernels", [&](std::size_t) {
    NsightKernel kernel = kernelFrom(in);
    ++slices;
    traces[kernel.process].slices.push_back(std::move(kernel.slice));
  });
  in.finish();
  if (in.failed()) return in.problem();
  if (slices > kMostRunSlices) return Error{"more than 4,000,000 kernels; record fewer steps", {}, ErrorKind::TooLarge};
  std::vector<RunTrace> all;
  for (auto& [process, trace] : traces) {
    trace.rank = static_cast<std::int64_t>(all.size());
    all.push_back(std::move(trace));
  }
  return all;
}

}  // namespace p2::inline workload
