// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// How much of every stream's work comes before something: that which somebody saw to, not that which happens to.
using StandInPast = std::map<cudaStream_t, int>;

struct StandInStream {
  StandInPast past;  ///< of what is asked for next
};

struct StandInEvent {
  StandInPast past;
  std::chrono::steady_clock::time_point when;
  bool hasTime = true;
  bool recorded = false;
};

namespace p2::test {

/// Ends all ranks: the libraries were called in a way that the real ones do not bear, or whose outcome is undefined.
[[noreturn]] void refuse(const std::string& sentence);
/// All of these bytes must lie in one piece of device memory.
void needDevice(const void* data, std::size_t bytes, const char* what);
struct DeviceBytes {
  const void* data;
  std::size_t bytes;
};
/// Asks a stream for something that reads or writes these bytes. It is done when somebody waits for it, as on a device.
/// What is asked for on another stream and touches them, too, must come before by waiting for an event.
void ask(cudaStream_t stream, std::vector<DeviceBytes> touched, std::function<void()> work);
/// Does everything that was asked for, in the order in which it was: all ranks ask in the same.
void finishAll();
/// Whether anything is still to be done.
[[nodiscard]] bool isBusy();

}  // namespace p2::test
