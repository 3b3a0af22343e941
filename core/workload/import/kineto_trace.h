// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "workload/import/byte_source.h"
#include "workload/import/kineto_event.h"
#include "workload/import/time_spans.h"

namespace p2::inline workload {

/// A collective of a trace, equal ones together.
struct KinetoCollective {
  std::int64_t calls = 0;    ///< asked for by the program, within the steps
  std::int64_t kernels = 0;  ///< run on the GPU, from the first step on
  double kernelSeconds = 0;  ///< total of these kernels
  double hiddenSeconds = 0;  ///< of that, while computation ran on the same GPU
};

/// One rank's communication in a trace of the PyTorch profiler. Seconds count from an arbitrary moment.
struct KinetoTrace {
  std::int64_t rank = -1;  ///< −1 where the trace is silent
  std::int64_t world = 0;  ///< 0 likewise
  std::int64_t steps = 0;  ///< ProfilerStep events
  std::string backend;     ///< backend of the first process group, "nccl" or "gloo"; empty if unknown
  std::map<std::string, KinetoGroup> groups;
  std::map<KinetoCommunication, KinetoCollective> collectives;
  double computeSeconds = 0;         ///< in which at least one kernel computed, from the first step on
  std::int64_t outsideCalls = 0;     ///< before the first step or behind the last
  std::int64_t outsideKernels = 0;   ///< kernels of other libraries than NCCL and RCCL, among namelessKernels
  double outsideSeconds = 0;         ///< their time, added up
  std::string firstOutside = {};     ///< name of the first
  std::int64_t namelessKernels = 0;  ///< that communicate, without a known kind
  std::int64_t unreadEvents = 0;
  std::string firstProblem;  ///< problem of the first
};

/// Reads a trace from front to back. Memory grows with its kernels, 16 bytes each, and with the kinds of its
/// collectives. Errors: no trace, breaks off, several ranks' events in one, too many kernels; cancelled.
[[nodiscard]] Result<KinetoTrace> readKinetoTrace(ByteSource& source, const std::stop_token& stop = {},
                                                  const Progress& progress = {});

}  // namespace p2::inline workload
