// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_answer: configurations that differ from one in a single choice.
#pragma once

#include <functional>

#include "training_answer/training_evaluation.h"

namespace p2::inline training_answer {

/// Calls `visit` with the key and the words of a choice made otherwise, and with the configuration: degrees (the degree
/// of data parallelism follows), virtual stages, microbatch, ZeRO stage, recomputation, schedule, sequence parallelism,
/// kind of context parallelism, replicas, overlap of tensor parallelism (where the search turns it on), compiler. Rules
/// and memory are not asked.
using ChangeVisit =
    std::function<void(const std::string& key, const std::string& choice, const TrainingConfiguration& changed)>;
void forEachChange(const TrainingFramework& framework, const ModelShape& model, const TrainingAccelerator& accelerator,
                   const TrainingConfiguration& mine, const ChangeVisit& visit);

/// Lines of the launch text of `changed` that the text of `mine` lacks, and the other way round.
void setFlags(const ModelShape& model, const System& system, const PlannedConfiguration& mine, TrainingChange& change);

}  // namespace p2::inline training_answer
