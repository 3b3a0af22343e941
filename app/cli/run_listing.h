// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explore/run_prediction.h"
#include "remote/run_request.h"
#include "remote/run_setting.h"
#include "runs/run_result.h"
#include "text/document.h"

namespace p2::cli {

/// The answer to a run. `saysWhyNot` adds a line where steps that could overlap did not.
[[nodiscard]] Document runAnswer(const RunResult& result, const ProgramResult& predicted, const std::string& plan,
                                 const RunSetting& setting, bool saysWhyNot);

/// Every command that a run would start, and on which machine. Errors: more ranks than the target has slots.
[[nodiscard]] Result<Document> runCommandsAnswer(const Target& target, const RunRequest& request,
                                                 const RunIdentity& identity);

}  // namespace p2::cli
