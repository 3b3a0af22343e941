// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/document.h"
#include "training/planner.h"

namespace p2::cli {

/// The answer of `p2 train`. Question and answer must outlive it.
[[nodiscard]] Document trainingDocument(const TrainingQuestion& question, const TrainingAnswer& answer,
                                        const std::string& modelName, const std::string& systemName);

}  // namespace p2::cli
