// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: which block each layer of a config.json has.
#pragma once

#include "workload/generate/config_fields.h"
#include "workload/generate/model_blocks.h"

namespace p2::inline workload {

/// The layers in their order, as the config declares them: lists of layer types, periods and offsets, patterns of
/// letters, numbers of layers. `blocks.shape` must have its layers and experts; its dense layers and step of experts
/// are set. Where no number and step express which layers have experts, the last ones have them, which is noted.
void readLayers(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks);

}  // namespace p2::inline workload
