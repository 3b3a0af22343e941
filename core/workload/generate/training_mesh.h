// SPDX-License-Identifier: GPL-3.0-or-later
// For core/workload and core/training.
#pragma once

#include <string>
#include <vector>

#include "placement/axis.h"
#include "workload/generate/training_plan.h"

namespace p2::inline workload {

/// The axes of a plan, and over which of them each degree of parallelism goes: several where dense layers and experts
/// split the same devices differently, none where a degree is 1.
struct TrainingMesh {
  using Names = std::vector<std::string>;
  std::vector<Axis> axes;  ///< outermost first, none of size 1
  Names pipeline;
  Names replica;
  Names shard;  ///< over which ZeRO shards everything but experts: data without replicas, and context
  Names context;
  Names contextRing;
  Names tensor;
  Names expert;
  Names expertData;  ///< without replicas
  Names expertTensor;
};

/// The mesh of a model and plan that are resolved and checked. Errors: two factorizations without a common refinement,
/// or one in which stages are not the same for dense layers and experts.
[[nodiscard]] Result<TrainingMesh> trainingMesh(const ModelShape& model, const TrainingPlan& plan);

}  // namespace p2::inline workload
