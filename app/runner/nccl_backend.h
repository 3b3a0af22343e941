// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <memory>

#include "app/runner/transport.h"

namespace p2::runner {

/// Whether NCCL can be used on this machine.
struct NcclState {
  std::string library;  ///< "NCCL 2.28.9"; empty when it cannot
  std::string why;      ///< why it cannot
  std::vector<std::string> devices;
};

[[nodiscard]] NcclState ncclState();
/// NCCL on device memory, its first communicator made with the help of `world`. The ranks of a host take its GPUs in
/// turn. Errors: not built in, no GPU, or an error of CUDA or NCCL.
[[nodiscard]] Result<std::unique_ptr<Transport>> makeNcclTransport(MPI_Comm world);

}  // namespace p2::runner
