// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace p2::inline workload {

/// Whether a file is a trace of the PyTorch profiler (Kineto), by its beginning; packed with gzip or not. False for
/// files that cannot be read.
[[nodiscard]] bool isProfilerTrace(const std::string& path);

/// Seconds of every training step of a trace of the PyTorch profiler, in order: the marks "ProfilerStep#N", each up to
/// the next one; the last mark as long as it is itself. Errors: no such mark (with the call that makes them), damaged;
/// cancelled. O(length).
[[nodiscard]] Result<std::vector<double>> profilerStepSeconds(const std::string& path,
                                                              const std::stop_token& stop = {});

}  // namespace p2::inline workload
