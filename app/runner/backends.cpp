// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/backends.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "app/runner/mpi_transport.h"
#include "app/runner/nccl_backend.h"

namespace p2::runner {
namespace {

bool isInPath(std::string_view program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<Transport>> makeTransport(const std::string& backend, MPI_Comm world) {
  if (backend == "mpi") return std::unique_ptr<Transport>(std::make_unique<MpiTransport>(world));
  if (backend == "nccl") return makeNcclTransport(world);
  return Error{"\"" + backend + "\" is not a backend; use mpi or nccl"};
}

Capabilities capabilitiesHere() {
  const NcclState nccl = ncclState();
  Capabilities here{{{"mpi", mpiLibrary(), {}}, {"nccl", nccl.library, nccl.why}},
                    {},
                    nccl.devices,
                    int(std::thread::hardware_concurrency())};
  for (const std::string_view launcher : kLaunchers) {
    if (isInPath(launcher)) here.launchers.emplace_back(launcher);
  }
  return here;
}

}  // namespace p2::runner
