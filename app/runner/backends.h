// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <memory>

#include "app/runner/transport.h"
#include "remote/messages.h"

namespace p2::runner {

/// The transport behind the name of a backend, for all ranks of `world` together. Errors: not built in, or not able to
/// work here, with the reason.
[[nodiscard]] Result<std::unique_ptr<Transport>> makeTransport(const std::string& backend, MPI_Comm world);

/// What this machine has to run plans with.
[[nodiscard]] Capabilities capabilitiesHere();

}  // namespace p2::runner
