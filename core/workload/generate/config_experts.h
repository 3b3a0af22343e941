// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: the experts of a config.json and the layers that have them.
#pragma once

#include "workload/generate/config_fields.h"
#include "workload/generate/model_blocks.h"

namespace p2::inline workload {

/// Sets numbers and sizes of routed and shared experts and of the router.
void readExpertSizes(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks);

/// Reads the layers with experts: dense layers at the start, periods, offsets, lists of layers. With `listed` the
/// layers in `blocks` already have their MLPs. Sets the shape's dense layers and step of experts; where no such pair
/// expresses the layers, the last ones have experts, which is noted.
void readExperts(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks, bool listed);

}  // namespace p2::inline workload
