// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the frameworks, one per file.
#pragma once

#include "training/frameworks.h"

namespace p2::inline training {

extern const TrainingFramework kMegatron;
extern const TrainingFramework kTorchTitan;
extern const TrainingFramework kDeepSpeed;
extern const TrainingFramework kFsdp;
extern const TrainingFramework kMaxText;
extern const TrainingFramework kNeuronx;

}  // namespace p2::inline training
