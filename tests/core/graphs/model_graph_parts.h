// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>

#include "strategy/computation_graph.h"
#include "support/fixtures.h"
#include "workload/generate/bundled_models.h"
#include "workload/generate/hugging_face.h"
#include "workload/generate/training_recipe.h"

using namespace p2;

inline const Operator& named(const ComputationGraph& graph, const std::string& name) {
  const auto found =
      std::find_if(graph.operators.begin(), graph.operators.end(), [&](const Operator& op) { return op.name == name; });
  if (found == graph.operators.end()) qFatal("no operator %s", name.c_str());
  return *found;
}

/// Splits one dimension of an operator, by its name.
inline Configuration split(const Operator& op, const std::string& dimension, std::int64_t parts) {
  Configuration configuration(op.dimensions.size(), 1);
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    if (op.dimensions[d].name == dimension) configuration[d] = parts;
  }
  return configuration;
}

inline ModelShape shapeOf(const std::string& model) {
  for (const BundledModel& each : bundledModels()) {
    if (each.name == model) return resolved(test::valueOf(modelFromConfig(each.config)).shape);
  }
  return resolved(test::valueOf(bundledRecipe(model)).model);
}
