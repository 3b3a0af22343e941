// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: Megatron's settings, which several formats share.
#pragma once

#include "training_files/detail/file_format.h"

namespace p2::inline training_files {

[[nodiscard]] std::span<const KnownSetting> megatronSettings();
/// Megatron's defaults of the model's shape.
void prepareMegatron(StatedTraining& stated);
/// Megatron's defaults of everything else, after all settings were read.
void finishMegatron(StatedTraining& stated);

}  // namespace p2::inline training_files
