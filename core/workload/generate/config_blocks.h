// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: the sizes of a config.json's blocks.
#pragma once

#include "workload/generate/config_fields.h"
#include "workload/generate/model_blocks.h"

namespace p2::inline workload {

/// Sizes and properties of attention, MLP, experts and state-space blocks, as the config declares them and the family
/// completes them. Layers and ties of embeddings are not read.
void readBlocks(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks);

}  // namespace p2::inline workload
