// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for nccl_transport.cpp where the runner is built without CUDA and NCCL.
#include "app/runner/nccl_backend.h"

namespace p2::runner {
namespace {

constexpr const char* kWhy = "this runner was built without NCCL; install CUDA and NCCL and build it again, or use mpi";

}  // namespace

NcclState ncclState() { return {{}, kWhy, {}}; }

Result<std::unique_ptr<Transport>> makeNcclTransport(MPI_Comm) { return Error{kWhy, {}, ErrorKind::Failed}; }

}  // namespace p2::runner
