// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training_answer/training_request.h"
#include "workspace/workspace.h"

namespace p2::test {

/// The question of `p2 train MODEL SYSTEM --batch BATCH`.
inline TrainingInput inputFor(const char* model, const char* system, std::int64_t batch) {
  TrainingRequest request;
  request.batch = batch;
  auto source = modelFromArgument(model);
  auto machine = systemFromArgument(system);
  if (!source.ok() || !machine.ok()) qFatal("model or system");
  auto input = readTrainingRequest(request, std::move(source.value()), std::move(machine.value()));
  if (!input.ok()) qFatal("request");
  return std::move(input.value());
}

}  // namespace p2::test
