// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files.
#pragma once

#include "training_files/detail/setting.h"

namespace p2::inline training_files {

/// Adds what Megatron-Bridge 0.2 to 0.5 concludes from a preset (scripts/performance/utils/overrides.py at v0.4.0,
/// set_workload_base_configs): recomputation, the dispatcher of tokens, and the precision that its name ends with.
void completePreset(std::string_view name, Settings& settings);

}  // namespace p2::inline training_files
