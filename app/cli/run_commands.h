// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "base/result.h"
#include "remote/run_request.h"

namespace p2::cli {

/// Writes every command that a run would start, on which machine, and starts none. Errors: more ranks than the target
/// has slots.
[[nodiscard]] Result<void> writeRunCommands(std::ostream& out, const Target& target, const RunRequest& request,
                                            const RunIdentity& identity, bool json);

}  // namespace p2::cli
