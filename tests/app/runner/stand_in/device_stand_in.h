// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <deque>
#include <functional>
#include <string>

/// What was asked for and is done when somebody waits for it, as on a device.
struct StandInStream {
  std::deque<std::function<void()>> work;
};

struct StandInEvent {
  std::chrono::steady_clock::time_point when;
  bool recorded = false;
};

namespace p2::test {

/// Ends all ranks: the libraries were called in a way that the real ones do not bear, or whose outcome is undefined.
[[noreturn]] void refuse(const std::string& sentence);
/// All of these bytes must lie in one piece of device memory.
void needDevice(const void* data, std::size_t bytes, const char* what);
/// Does everything that was asked for.
void finishAll();
/// Whether anything is still to be done.
[[nodiscard]] bool isBusy();

}  // namespace p2::test
