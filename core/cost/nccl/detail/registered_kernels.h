// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/traffic.h"

namespace p2::inline cost {

/// A kernel for buffers in symmetric windows, inside one NVLink domain.
struct RegisteredKernel {
  Protocol protocol = Protocol::Simple;  ///< LL for the kernels with flags next to the data
  bool multicast = false;                ///< by switches that add up and copy
  double start = 0;                      ///< seconds before anything moves
  double moving = 0;                     ///< seconds, by the library's own figures
};

/// Whether the library has such kernels for a communicator: AllReduce, AllGather and ReduceScatter over NVLink since
/// 2.27.
[[nodiscard]] bool hasRegisteredKernels(const Traffic& traffic);

/// The kernel that the library chooses by its own figures (resources/nccl/tuner.json): the fastest, each thread block
/// counted as 2.5 % more time. AllGather of long parts on Blackwell goes by copy engines since 2.29. `bytes` is the
/// whole vector; `canMulticast`, whether switches inside the node add up. The traffic must hasRegisteredKernels().
/// O(1).
[[nodiscard]] RegisteredKernel registeredKernel(const Traffic& traffic, Bytes bytes, bool canMulticast);

/// Seconds of a kernel whose data moves for that long: the start hides the first microsecond.
[[nodiscard]] double registeredSeconds(double start, double moving);

}  // namespace p2::inline cost
