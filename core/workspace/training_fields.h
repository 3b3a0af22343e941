// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "base/property.h"
#include "workspace/training_choice.h"

namespace p2::inline workspace {

/// The fields of a TrainingChoice that are one value each, in the order of files. Names are checked by the planner.
[[nodiscard]] std::span<const Property<TrainingChoice>> trainingFields();

}  // namespace p2::inline workspace
