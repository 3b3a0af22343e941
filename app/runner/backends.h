// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <memory>

#include "app/runner/transport.h"
#include "remote/messages.h"

namespace p2::runner {

/// The transport of a backend by its name; called by all ranks of `world` together. Errors: not built in, or unusable
/// on this machine, with the reason.
[[nodiscard]] Result<std::unique_ptr<Transport>> makeTransport(const std::string& backend, MPI_Comm world);

/// Backends, launchers and devices of this machine.
[[nodiscard]] Capabilities capabilitiesHere();

}  // namespace p2::runner
