// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "remote/run_request.h"

namespace p2::runner {

/// Explains in one sentence how a launcher ended, from its status as waitpid() returns it and from the output of the
/// launcher and the ranks that is no message.
[[nodiscard]] std::string launchFailure(const Launch& launch, int status, const std::string& stated);

/// Explains that processes of srun, as in "8 processes", do not find each other, and the remedy.
[[nodiscard]] std::string unknownToEachOther(const std::string& processes);

}  // namespace p2::runner
