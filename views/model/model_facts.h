// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "base/result.h"
#include "system/system.h"
#include "training/model_parts.h"
#include "workspace/training_choice.h"

namespace p2::views {

/// Adam with a copy of the parameters in fp32, gradients in fp32: 2 + 4 + 12 bytes for each parameter.
inline constexpr double kStateBytes = 18;

/// Facts of the model and the training settings of a document, before any configuration is chosen.
struct ModelFacts {
  QString finding;               ///< one sentence: size, tokens of a step, its least time on the system
  QStringList details;           ///< shape, memory of states, derived degrees; one sentence each
  ModelShape model;              ///< resolved
  std::vector<ModelPart> parts;  ///< for sequences of the document's length
  QStringList assumed;           ///< defaults of keys that the model's file lacks
};
/// Errors: of the model, with the document "model"; without a known accelerator the least time is left out.
[[nodiscard]] Result<ModelFacts> modelFacts(const System& system, const TrainingChoice& training);

}  // namespace p2::views
