// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/run_request.h"
#include "runs/run_record.h"

namespace p2::inline remote {

/// The part of a target that the record of a run keeps.
[[nodiscard]] RunSetting settingOf(const Target& target);

}  // namespace p2::inline remote
