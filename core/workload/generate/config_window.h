// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: how far back attention looks in the layers of a config.json.
#pragma once

#include <string_view>

#include "workload/generate/config_fields.h"
#include "workload/generate/model_blocks.h"

namespace p2::inline workload {

/// Reads the window of attention from a config and the layers that have it: by layer_types, by a pattern, or as the
/// model class has them by default. `type`: the model_type. `blocks` must have its layers. If
/// neither the config nor the class says which layers have a window, all tokens are attended to, which is noted.
void readWindow(const JsonValue& in, ConfigFields& fields, std::string_view type, ModelBlocks& blocks);

}  // namespace p2::inline workload
