// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "remote/run_request.h"

namespace p2::runner {

/// What a launcher's end means, in one sentence, from its status, as waitpid() has it, and what it and
/// the ranks have said beside messages.
[[nodiscard]] std::string launchFailure(const Launch& launch, int status, const std::string& said);

/// That processes of srun, as in "8 processes", are worlds of their own, and what to do about it.
[[nodiscard]] std::string unknownToEachOther(const std::string& processes);

}  // namespace p2::runner
