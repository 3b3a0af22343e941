// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: layers of a config whose attention differs from the others' in its heads (Gemma 4).
#pragma once

#include "workload/generate/config_fields.h"
#include "workload/generate/model_blocks.h"

namespace p2::inline workload {

/// Reads the heads of attention over all tokens (global_head_dim), and the layers that take keys and values from
/// others (num_kv_shared_layers). `blocks` must have its sizes and layers; configs without these keys change nothing.
void readGlobalAttention(ConfigFields& fields, ModelBlocks& blocks);

}  // namespace p2::inline workload
