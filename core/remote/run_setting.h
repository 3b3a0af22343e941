// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/run_request.h"
#include "runs/run_record.h"

namespace p2::inline remote {

/// What is kept of a target when this program has a run done on it.
[[nodiscard]] RunSetting settingOf(const Target& target);

}  // namespace p2::inline remote
